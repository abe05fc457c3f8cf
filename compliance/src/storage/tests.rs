use super::*;

fn both(test: impl Fn(&dyn Storage)) {
    test(&MemoryStorage::new(PowerSwitch::default()));
    let folder = tempfile::tempdir().unwrap();
    test(&FileStorage::new(folder.path().join("deep/root")).unwrap());
}

#[test]
fn files_and_memory_behave_alike() {
    both(|s| {
        assert_eq!(s.read("a/b").unwrap(), None);
        assert_eq!(s.list("").unwrap(), [""; 0]);
        s.append("a/b", b"one").unwrap();
        s.append("a/b", b" two").unwrap();
        s.sync("a/b").unwrap();
        assert_eq!(s.read("a/b").unwrap().unwrap(), b"one two");
        s.replace("a/b", b"new").unwrap();
        s.append("a/b", b"er").unwrap();
        s.sync("a/b").unwrap();
        assert_eq!(s.read("a/b").unwrap().unwrap(), b"newer");
        s.replace("c", b"").unwrap();
        s.replace("a/x/y", b"1").unwrap();
        assert_eq!(s.list("").unwrap(), ["a/b", "a/x/y", "c"]);
        assert_eq!(s.list("a").unwrap(), ["a/b", "a/x/y"]);
        s.remove("a/b").unwrap();
        s.remove("a/b").unwrap();
        assert_eq!(s.read("a/b").unwrap(), None);
        assert!(s.sync("a/b").is_err());
    });
}

#[test]
fn paths_stay_inside() {
    let folder = tempfile::tempdir().unwrap();
    let s = FileStorage::new(folder.path().join("root")).unwrap();
    for path in ["", "/etc/x", "../x", "a/../../x", "a//b", "./a"] {
        assert!(s.replace(path, b"x").is_err(), "{path}");
        assert!(s.append(path, b"x").is_err(), "{path}");
        assert!(s.read(path).is_err(), "{path}");
    }
    assert!(!folder.path().join("x").exists());
}

#[test]
fn leftovers_of_a_replacement_are_not_listed() {
    let folder = tempfile::tempdir().unwrap();
    let s = FileStorage::new(folder.path()).unwrap();
    std::fs::write(folder.path().join("a.tmp"), b"half").unwrap();
    s.replace("a", b"x").unwrap();
    std::fs::write(folder.path().join("b.tmp"), b"half").unwrap();
    assert_eq!(s.list("").unwrap(), ["a"]);
}

#[test]
fn the_twin_forgets_what_was_not_synced() {
    let mut kept = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let power = PowerSwitch::default();
        let s = MemoryStorage::new(power.clone());
        s.append("f", b"safe").unwrap();
        s.sync("f").unwrap();
        power.cut_at(4, seed);
        s.append("f", b"lost").unwrap();
        assert!(s.append("g", b"1234").is_err());
        assert!(s.replace("h", b"x").is_err(), "the power is off");
        let after = s.after_restart(PowerSwitch::default());
        let bytes = after.read("f").unwrap().unwrap();
        assert!(bytes.starts_with(b"safe"));
        kept.insert(bytes[4..].to_vec());
        assert_eq!(after.read("h").unwrap(), None);
    }
    assert!(
        kept.contains(&b""[..]) && kept.contains(&b"lo"[..]) && kept.contains(&b"lo\0\0"[..]),
        "{kept:?}"
    );
}

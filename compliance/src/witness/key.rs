//! Keys of witnesses, and their signatures under checkpoints.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::log::{Hash, Verifier, key_id, read_vkey, write_vkey};

/// Algorithm byte of Ed25519 cosignatures.
const COSIGNATURE: u8 = 4;
/// What a signature line begins with.
const DASH: &str = "\u{2014} ";

/// A witness's name and public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessKey {
    name: String,
    key: VerifyingKey,
}

impl WitnessKey {
    /// The witness's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn id(&self) -> [u8; 4] {
        key_id(COSIGNATURE, &self.name, &self.key)
    }

    /// `name+id+key`, the form in which the key is handed over.
    pub fn to_vkey(&self) -> String {
        write_vkey(COSIGNATURE, &self.name, &self.key)
    }

    /// Reads `name+id+key`.
    pub fn from_vkey(text: &str) -> Option<Self> {
        let (name, key) = read_vkey(COSIGNATURE, text)?;
        let witness = Self { name: name.into(), key };
        // One spelling only.
        (is_name(name) && witness.to_vkey() == text.trim_end()).then_some(witness)
    }

    /// The time of this witness's signature among `lines`, in seconds since 1970, if there is one and it is over
    /// the checkpoint `body`.
    fn time_of(&self, body: &str, lines: &str) -> Option<u64> {
        lines.lines().find_map(|line| {
            let encoded = line.strip_prefix(DASH)?.strip_prefix(self.name.as_str())?.strip_prefix(' ')?;
            let bytes = STANDARD.decode(encoded).ok()?;
            let (id, rest) = bytes.split_first_chunk::<4>()?;
            let (time, signature) = rest.split_first_chunk::<8>()?;
            let time = u64::from_be_bytes(*time);
            let signature = Signature::from_slice(signature).ok()?;
            let signed = *id == self.id()
                && i64::try_from(time).is_ok()
                && self.key.verify_strict(message(time, body).as_bytes(), &signature).is_ok();
            signed.then_some(time)
        })
    }
}

/// A name without what would break a signature line or a key's text.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 200 && !name.contains(|c: char| c.is_whitespace() || c == '+')
}

fn message(time: u64, body: &str) -> String {
    format!("cosignature/v1\ntime {time}\n{body}")
}

/// The secret half.
pub(super) struct WitnessSigner {
    key: SigningKey,
    public: WitnessKey,
}

impl WitnessSigner {
    pub(super) fn new(name: String, seed: &[u8; 32]) -> Self {
        let key = SigningKey::from_bytes(seed);
        let public = WitnessKey { name, key: key.verifying_key() };
        Self { key, public }
    }

    pub(super) fn public(&self) -> &WitnessKey {
        &self.public
    }

    /// The signed note `checkpoint` with this witness's line below.
    pub(super) fn countersign(&self, checkpoint: &str, time: u64) -> Option<String> {
        let (body, _) = checkpoint.split_once("\n\n")?;
        let signature = self.key.sign(message(time, &format!("{body}\n")).as_bytes());
        let line = [&self.public.id()[..], &time.to_be_bytes(), &signature.to_bytes()].concat();
        Some(format!("{checkpoint}{DASH}{} {}\n", self.public.name, STANDARD.encode(line)))
    }
}

/// A checkpoint that the log and a witness signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Countersigned {
    /// Size of the log.
    pub size: u64,
    /// Its root.
    pub root: Hash,
    /// When the witness signed, seconds since 1970.
    pub time: u64,
}

impl Countersigned {
    /// The time in the last line of a countersigned checkpoint, whoever signed it.
    pub(crate) fn time_in(note: &[u8]) -> Option<i64> {
        let line = std::str::from_utf8(note).ok()?.lines().last()?;
        let bytes = STANDARD.decode(line.rsplit(' ').next()?).ok()?;
        i64::try_from(u64::from_be_bytes(bytes.get(4..12)?.try_into().ok()?)).ok()
    }

    /// Reads a checkpoint with exactly one countersignature, that of `witness`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(note: &[u8], log: &Verifier, witness: &WitnessKey) -> Result<Self, String> {
        let text = std::str::from_utf8(note).map_err(|_| "not UTF-8")?;
        let (body, signatures) = text.split_once("\n\n").ok_or("no signatures")?;
        let (own, countersignature) = signatures.split_once('\n').ok_or("no countersignature")?;
        let (size, root) = log.open(format!("{body}\n\n{own}\n").as_bytes())?;
        let time = witness.time_of(&format!("{body}\n"), countersignature);
        let time = time.ok_or_else(|| format!("not countersigned by {}", witness.name()))?;
        let lines = countersignature.strip_suffix('\n').ok_or("no newline at the end")?;
        if lines.contains('\n') {
            return Err("more than one countersignature".into());
        }
        // One spelling only: nothing in the file may vary unnoticed.
        let encoded = lines.rsplit(' ').next().unwrap_or_default();
        match STANDARD.decode(encoded).map(|bytes| bytes.len()) {
            Ok(76) => Ok(Self { size, root, time }),
            _ => Err("the countersignature is of another length".into()),
        }
    }
}

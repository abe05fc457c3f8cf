//! What computes, and why nothing else does.

use kernels::cpu::Level;
use kernels::hip;

/// The device that does the work, in words for people.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct DeviceReport {
    /// Always `cpu`: there are no kernels for graphics cards yet.
    pub backend: String,
    /// Processor, threads and instruction set.
    pub name: String,
    /// Instruction sets that matter and are there.
    pub features: Vec<String>,
    /// The HIP library with its version and devices, or why there is none.
    pub hip: String,
}

/// Looks at this machine. Opening the HIP library may take a moment where there is one.
pub fn device_report(threads: usize) -> DeviceReport {
    DeviceReport {
        backend: "cpu".to_string(),
        name: device_name(threads),
        features: features(),
        hip: match hip::probe() {
            Ok(found) if found.devices.is_empty() => {
                format!(
                    "HIP {} ({}) found, but it sees no device; the CPU computes",
                    found.version, found.library
                )
            }
            Ok(found) => format!(
                "HIP {} ({}) found with {}; the CPU computes, because this version has no kernels for graphics cards",
                found.version,
                found.library,
                found.devices.join(", ")
            ),
            Err(error) => format!("{error}; the CPU computes"),
        },
    }
}

/// Processor, threads and instruction set in one line, without looking for HIP.
pub fn device_name(threads: usize) -> String {
    let threads = threads.max(1);
    let plural = if threads == 1 { "" } else { "s" };
    format!("{}, {threads} thread{plural}, {}", processor(), Level::best().name())
}

/// The processor's name as the system tells it.
fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        info.lines().find_map(|l| l.strip_prefix("model name")?.split_once(':').map(|(_, n)| n.trim()));
    name.filter(|n| !n.is_empty()).unwrap_or(std::env::consts::ARCH).to_string()
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<String> {
    let all = [
        ("SSE4.1", is_x86_feature_detected!("sse4.1")),
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("F16C", is_x86_feature_detected!("f16c")),
        ("FMA", is_x86_feature_detected!("fma")),
        ("AVX-512F", is_x86_feature_detected!("avx512f")),
        ("AVX-512BW", is_x86_feature_detected!("avx512bw")),
        ("AVX-512VNNI", is_x86_feature_detected!("avx512vnni")),
        ("AVX-512BF16", is_x86_feature_detected!("avx512bf16")),
    ];
    all.into_iter().filter(|(_, there)| *there).map(|(name, _)| name.to_string()).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<String> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_says_what_computes() {
        let report = device_report(2);
        assert_eq!(report.backend, "cpu");
        assert!(
            report.name.contains("2 threads") && report.name.ends_with(Level::best().name()),
            "{}",
            report.name
        );
        assert!(report.hip.contains("the CPU computes"), "{}", report.hip);
        assert_eq!(report.features.iter().any(|f| f == "AVX-512VNNI"), Level::best() == Level::Avx512Vnni);
    }
}

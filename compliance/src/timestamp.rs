//! Time stamps of somebody else (RFC 3161): a request is carried out, the answer is carried in.
//!
//! What is checked here: the answer grants the request, stamps the same hash, repeats the same nonce, and is
//! signed by the certificate that comes with it, which is one for time stamping only. Whether that certificate
//! leads to an authority that somebody trusts is for him to check (`openssl ts -verify -CAfile …`): the
//! appliance keeps no list of authorities.

use cms::cert::CertificateChoices;
use cms::cert::x509::Certificate;
use cms::cert::x509::spki::{AlgorithmIdentifier, ObjectIdentifier};
use cms::signed_data::{SignedData, SignerIdentifier, SignerInfo};
use der::asn1::{Any, Int, OctetString};
use der::{Decode as _, Encode as _};
use ring::signature as sig;
use x509_tsp::{MessageImprint, TimeStampReq, TimeStampResp, TspVersion, TstInfo};

use crate::log::Hash;

/// Longest answer that is read, bytes; answers of real authorities have some 6 KiB.
const MAX_ANSWER: usize = 256 << 10;

const SHA_256: &str = "2.16.840.1.101.3.4.2.1";
const SHA_384: &str = "2.16.840.1.101.3.4.2.2";
const SHA_512: &str = "2.16.840.1.101.3.4.2.3";
const TST_INFO: &str = "1.2.840.113549.1.9.16.1.4";
const SIGNED_DATA: &str = "1.2.840.113549.1.7.2";
const CONTENT_TYPE: &str = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST: &str = "1.2.840.113549.1.9.4";
/// Attributes that name the certificate by its hash: with SHA-1, and with any.
const SIGNING_CERTIFICATE: [&str; 2] = ["1.2.840.113549.1.9.16.2.12", "1.2.840.113549.1.9.16.2.47"];
const EXTENDED_KEY_USAGE: &str = "2.5.29.37";
/// DER of an extended key usage that holds time stamping and nothing else.
const ONLY_TIME_STAMPING: [u8; 12] = [48, 10, 6, 8, 43, 6, 1, 5, 5, 7, 3, 8];

/// What an authority states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// When the hash existed, by its clock.
    pub time: jiff::Timestamp,
    /// Whom its certificate names.
    pub authority: String,
    /// SHA-256 of the certificate, hexadecimal.
    pub certificate_sha256: String,
}

/// A request to stamp `digest`, a SHA-256; DER. The answer must repeat `nonce`.
///
/// # Errors
/// When it cannot be encoded.
pub fn request(digest: &Hash, nonce: [u8; 8]) -> Result<Vec<u8>, String> {
    // A positive number of eight bytes, whatever was drawn.
    let [first, rest @ ..] = nonce;
    let mut number = vec![first & 0x3f | 0x10];
    number.extend(rest);
    let text = |e: der::Error| e.to_string();
    let sha_256 = AlgorithmIdentifier { oid: oid(SHA_256), parameters: Some(Any::null()) };
    let request = TimeStampReq {
        version: TspVersion::V1,
        message_imprint: MessageImprint {
            hash_algorithm: sha_256,
            hashed_message: OctetString::new(digest.as_slice()).map_err(text)?,
        },
        req_policy: None,
        nonce: Some(Int::new(&number).map_err(text)?),
        cert_req: true,
        extensions: None,
    };
    request.to_der().map_err(text)
}

/// The hash that `request` asks to be stamped, if it is a request of the form that [`request`] makes.
pub fn requested(request: &[u8]) -> Option<Hash> {
    let request = TimeStampReq::from_der(request).ok()?;
    let imprint = request.message_imprint;
    let sha_256 = imprint.hash_algorithm.oid == oid(SHA_256);
    sha_256.then(|| imprint.hashed_message.as_bytes().try_into().ok()).flatten()
}

/// Checks the authority's `answer` to `request`.
///
/// # Errors
/// What is wrong with it, in words for the administrator.
pub fn check(answer: &[u8], request: &[u8]) -> Result<Stamp, String> {
    if answer.len() > MAX_ANSWER {
        return Err(format!("it has {} bytes, {MAX_ANSWER} are read", answer.len()));
    }
    let form = |e: der::Error| format!("it is not an answer of RFC 3161: {e}");
    let asked = TimeStampReq::from_der(request).map_err(|e| format!("the request is damaged: {e}"))?;
    let answer = TimeStampResp::from_der(answer).map_err(form)?;
    // Granted, or granted with changes; anything else comes without a stamp.
    let status = answer.status.status.to_der().map_err(form)?;
    let token = answer.time_stamp_token.filter(|_| [[2, 1, 0], [2, 1, 1]].iter().any(|s| status == *s));
    let token = token.ok_or("the authority did not grant the request")?;
    if token.content_type != oid(SIGNED_DATA) {
        return Err("the stamp is not signed".into());
    }
    let signed: SignedData = token.content.decode_as().map_err(form)?;
    if signed.encap_content_info.econtent_type != oid(TST_INFO) {
        return Err("what is signed is not a time stamp".into());
    }
    let content = signed.encap_content_info.econtent.as_ref().ok_or("the stamp is empty")?;
    let content: OctetString = content.decode_as().map_err(form)?;
    let info = TstInfo::from_der(content.as_bytes()).map_err(form)?;
    if info.message_imprint.hashed_message != asked.message_imprint.hashed_message
        || info.message_imprint.hash_algorithm.oid != asked.message_imprint.hash_algorithm.oid
    {
        return Err("it stamps something else than was asked for".into());
    }
    if info.nonce != asked.nonce {
        return Err("it answers another request (its nonce differs)".into());
    }
    let certificate = signer(&signed, content.as_bytes())?;
    let seconds = info.gen_time.to_unix_duration().as_secs();
    let seconds = i64::try_from(seconds).map_err(|_| "its time lies out of range")?;
    Ok(Stamp {
        time: jiff::Timestamp::from_second(seconds).map_err(|_| "its time lies out of range")?,
        authority: certificate.tbs_certificate.subject.to_string(),
        certificate_sha256: hex::encode(crate::log::sha256(&certificate.to_der().map_err(form)?)),
    })
}

/// The certificate that has signed `content`, after its signature was checked.
fn signer(signed: &SignedData, content: &[u8]) -> Result<Certificate, String> {
    let [info] = signed.signer_infos.0.as_slice() else {
        return Err("it has not exactly one signature".into());
    };
    let certificates = signed.certificates.iter().flat_map(|set| set.0.iter());
    let certificate = certificates
        .filter_map(|choice| match choice {
            CertificateChoices::Certificate(certificate) => Some(certificate),
            CertificateChoices::Other(_) => None,
        })
        .find(|c| is_signer(info, c))
        .ok_or("the certificate of the signature is not in the answer")?;
    signed_attributes(info, content)?;
    names_certificate(info, certificate)?;
    let message =
        info.signed_attrs.as_ref().ok_or("nothing is signed")?.to_der().map_err(|e| e.to_string())?;
    let key = &certificate.tbs_certificate.subject_public_key_info;
    let point = key.subject_public_key.as_bytes().ok_or("its certificate has no usable key")?;
    let curve = key.algorithm.parameters.as_ref().and_then(|p| p.decode_as::<ObjectIdentifier>().ok());
    let algorithm = algorithm(info, curve)?;
    sig::UnparsedPublicKey::new(algorithm, point)
        .verify(&message, info.signature.as_bytes())
        .map_err(|_| "its signature does not fit")?;
    let usages = certificate.tbs_certificate.extensions.iter().flatten();
    let mut usages = usages.filter(|e| e.extn_id == oid(EXTENDED_KEY_USAGE) && e.critical);
    if !usages.any(|e| e.extn_value.as_bytes() == ONLY_TIME_STAMPING) {
        return Err("its certificate is not one for time stamping".into());
    }
    Ok(certificate.clone())
}

fn is_signer(info: &SignerInfo, certificate: &Certificate) -> bool {
    let tbs = &certificate.tbs_certificate;
    match &info.sid {
        SignerIdentifier::IssuerAndSerialNumber(id) => {
            id.issuer == tbs.issuer && id.serial_number == tbs.serial_number
        }
        // RFC 3161 names the certificate by issuer and number.
        SignerIdentifier::SubjectKeyIdentifier(_) => false,
    }
}

/// The signed attributes must name the content: its type and its hash.
fn signed_attributes(info: &SignerInfo, content: &[u8]) -> Result<(), String> {
    let algorithm = match info.digest_alg.oid.to_string().as_str() {
        SHA_256 => &ring::digest::SHA256,
        SHA_384 => &ring::digest::SHA384,
        SHA_512 => &ring::digest::SHA512,
        other => return Err(format!("its hash {other} is not one of SHA-256, SHA-384, SHA-512")),
    };
    let hash = ring::digest::digest(algorithm, content);
    let attribute = |wanted: &str| {
        let all = info.signed_attrs.iter().flat_map(|a| a.iter());
        let mut values = all.filter(|a| a.oid == oid(wanted)).flat_map(|a| a.values.iter());
        values.next()
    };
    let digest = attribute(MESSAGE_DIGEST).and_then(|v| v.decode_as::<OctetString>().ok());
    if digest.is_none_or(|d| d.as_bytes() != hash.as_ref()) {
        return Err("its signature is over another content".into());
    }
    let kind = attribute(CONTENT_TYPE).and_then(|v| v.decode_as::<ObjectIdentifier>().ok());
    if kind == Some(oid(TST_INFO)) {
        Ok(())
    } else {
        Err("its signature is over another kind of content".into())
    }
}

/// The signature also covers a hash of its certificate (RFC 2634, RFC 5035): nobody can swap the names in it.
fn names_certificate(info: &SignerInfo, certificate: &Certificate) -> Result<(), String> {
    let certificate = certificate.to_der().map_err(|e| e.to_string())?;
    let hashes = [
        &ring::digest::SHA1_FOR_LEGACY_USE_ONLY,
        &ring::digest::SHA256,
        &ring::digest::SHA384,
        &ring::digest::SHA512,
    ];
    // An OCTET STRING with the hash, wherever it stands in the attribute.
    let wanted = hashes.map(|algorithm| {
        let hash = ring::digest::digest(algorithm, &certificate);
        [&[4, u8::try_from(hash.as_ref().len()).unwrap_or_default()], hash.as_ref()].concat()
    });
    let attributes = info.signed_attrs.iter().flat_map(|a| a.iter());
    let named = attributes.filter(|a| SIGNING_CERTIFICATE.iter().any(|name| a.oid == oid(name)));
    let mut values = named.flat_map(|a| a.values.iter()).map(|value| value.value());
    if values.any(|v| wanted.iter().any(|w| v.windows(w.len()).any(|part| part == w))) {
        Ok(())
    } else {
        Err("its signature does not name its certificate".into())
    }
}

/// How the signature is to be checked.
fn algorithm(
    info: &SignerInfo,
    curve: Option<ObjectIdentifier>,
) -> Result<&'static dyn sig::VerificationAlgorithm, String> {
    let named = info.signature_algorithm.oid.to_string();
    let curve = curve.map(|c| c.to_string()).unwrap_or_default();
    let digest = info.digest_alg.oid.to_string();
    let (p256, p384) = (curve == "1.2.840.10045.3.1.7", curve == "1.3.132.0.34");
    Ok(match (named.as_str(), digest.as_str()) {
        ("1.2.840.113549.1.1.11", _) | ("1.2.840.113549.1.1.1", SHA_256) => &sig::RSA_PKCS1_2048_8192_SHA256,
        ("1.2.840.113549.1.1.12", _) | ("1.2.840.113549.1.1.1", SHA_384) => &sig::RSA_PKCS1_2048_8192_SHA384,
        ("1.2.840.113549.1.1.13", _) | ("1.2.840.113549.1.1.1", SHA_512) => &sig::RSA_PKCS1_2048_8192_SHA512,
        ("1.2.840.10045.4.3.2", _) if p256 => &sig::ECDSA_P256_SHA256_ASN1,
        ("1.2.840.10045.4.3.3", _) if p256 => &sig::ECDSA_P256_SHA384_ASN1,
        ("1.2.840.10045.4.3.2", _) if p384 => &sig::ECDSA_P384_SHA256_ASN1,
        ("1.2.840.10045.4.3.3", _) if p384 => &sig::ECDSA_P384_SHA384_ASN1,
        _ => {
            return Err(format!(
                "its kind of signature, {named}, is not known here; check it with openssl ts"
            ));
        }
    })
}

fn oid(text: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &[u8] = include_bytes!("../testdata/checkpoint.note");
    const QUERY: &[u8] = include_bytes!("../testdata/timestamp.tsq");
    const RSA: &[u8] = include_bytes!("../testdata/timestamp-rsa.tsr");
    const P256: &[u8] = include_bytes!("../testdata/timestamp-p256.tsr");
    const P384: &[u8] = include_bytes!("../testdata/timestamp-p384.tsr");

    /// The nonce of the recorded request.
    fn nonce() -> [u8; 8] {
        QUERY.get(58..66).unwrap().try_into().unwrap()
    }

    /// Requests and answers were made, and found good, by OpenSSL (`testdata/timestamp.sh`).
    #[test]
    fn a_request_is_the_one_openssl_makes() {
        let digest = crate::log::sha256(NOTE);
        assert_eq!(request(&digest, nonce()).unwrap(), QUERY);
        assert_eq!(requested(QUERY), Some(digest));
        // Whatever is drawn, the number is positive and has eight bytes.
        for first in [0, 0x7f, 0x80, 0xff] {
            let made = request(&digest, [first, 0, 0, 0, 0, 0, 0, 0]).unwrap();
            assert_eq!((made.len(), requested(&made)), (QUERY.len(), Some(digest)));
        }
    }

    #[test]
    fn answers_of_openssl_are_taken() {
        for answer in [RSA, P256, P384] {
            let stamp = check(answer, QUERY).unwrap();
            assert_eq!(stamp.time.to_string().get(..4), Some("2026"));
            assert!(stamp.authority.contains("Zeitstempel Beispiel AG"), "{}", stamp.authority);
        }
    }

    #[test]
    fn answers_to_another_request_and_changed_ones_are_not() {
        let other = request(&crate::log::sha256(b"x"), nonce()).unwrap();
        assert!(check(P256, &other).unwrap_err().contains("something else"));
        let again = request(&crate::log::sha256(NOTE), [1; 8]).unwrap();
        assert!(check(P256, &again).unwrap_err().contains("nonce"));
        for answer in [RSA, P256, P384] {
            let good = check(answer, QUERY).unwrap();
            for at in 0..answer.len() {
                let mut changed = answer.to_vec();
                changed[at] ^= 1;
                // A few bytes say nothing: versions, lists of algorithms.
                match check(&changed, QUERY) {
                    Ok(stamp) => assert_eq!((stamp.time, &stamp.authority), (good.time, &good.authority)),
                    Err(what) => assert!(!what.is_empty()),
                }
            }
            for length in 0..answer.len() {
                assert!(check(&answer[..length], QUERY).is_err());
            }
        }
    }
}

#!/bin/sh
# Makes requests and answers of RFC 3161 with OpenSSL, over checkpoint.note, and lets OpenSSL check them.
#     cd testdata && sh timestamp.sh
set -eu
here=$(pwd)
work=$(mktemp -d)
cd "$work"
cat > tsa.cnf <<'C'
[req]
distinguished_name = dn
prompt = no
[dn]
C = CH
O = Zeitstempel Beispiel AG
CN = Beispiel TSA
[tsa]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
[plain]
basicConstraints = critical, CA:FALSE
extendedKeyUsage = critical, timeStamping
[config]
serial = ./serial
crypto_device = builtin
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
signer_digest = sha256
accuracy = secs:1
ordering = no
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
C
echo 01 > serial
openssl ts -query -data "$here/checkpoint.note" -sha256 -cert -out "$here/timestamp.tsq"
answer() { # name, key, digest
    openssl req -x509 -new -key "$2" -config tsa.cnf -extensions tsa -days 3650 -out "$1.pem"
    openssl ts -reply -config tsa.cnf -section config -queryfile "$here/timestamp.tsq" -signer "$1.pem" \
        -inkey "$2" "-$3" -out "$here/timestamp-$1.tsr"
    openssl ts -verify -in "$here/timestamp-$1.tsr" -queryfile "$here/timestamp.tsq" -CAfile "$1.pem"
}
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out p256.key
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out p384.key
answer rsa rsa.key sha512
answer p256 p256.key sha256
answer p384 p384.key sha384
rm -rf "$work"

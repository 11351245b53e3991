#!/bin/sh
# Prints a Secret for each service with a certificate that is valid for a year, and deletes the key of their CA. For trying out, and as an example of
# what a certificate needs: sh certificates.sh | kubectl apply -f -
# Usage: certificates.sh [prefix of the Secrets]
set -eu
prefix=${1:-parley-tls}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
new='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365'
openssl req -x509 $new -keyout ca.key -out ca.crt -subj '/CN=parley authority' \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign 2>/dev/null
for service in gateway auth agents voice-stack knowledge telephony webhooks insights engine console; do
  openssl req -x509 $new -CA ca.crt -CAkey ca.key -keyout tls.key -out tls.crt -subj "/CN=$service" \
    -addext basicConstraints=critical,CA:FALSE -addext keyUsage=critical,digitalSignature \
    -addext extendedKeyUsage=serverAuth,clientAuth \
    -addext "subjectAltName=URI:spiffe://parley/$service,DNS:$service.parley.internal" 2>/dev/null
  printf -- '---\napiVersion: v1\nkind: Secret\ntype: kubernetes.io/tls\nmetadata: { name: %s-%s }\nstringData:\n' "$prefix" "$service"
  for file in tls.crt tls.key ca.crt; do
    printf '  %s: |\n' "$file"
    sed 's/^/    /' "$file"
  done
done

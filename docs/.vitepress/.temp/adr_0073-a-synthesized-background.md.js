import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"73. A synthesized background","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0073-a-synthesized-background.md","filePath":"adr/0073-a-synthesized-background.md"}');
const _sfc_main = { name: "adr/0073-a-synthesized-background.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_73-a-synthesized-background" tabindex="-1">73. A synthesized background <a class="header-anchor" href="#_73-a-synthesized-background" aria-label="Permalink to &quot;73. A synthesized background&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> An agent&#39;s <code>audio_environment</code> names a preset (office, street, call center) and a volume. It was published and handed to workers; the engine left it out and the call&#39;s <code>problems</code> said so.</p><p><strong>Decision.</strong></p><ol><li>The background is made of filtered noise whose strength swells, once per process, preset and sample rate. No recording has to be licensed, shipped or downloaded. It is a likeness, not a recording of a place, and docs/status.md says so.</li><li>Volume is a factor of the amplitude; volume 1 is -30 dBFS (root mean square), about 10 dB under speech. The loop lasts 8 s. Filters and swells are in the same state at its end as at its beginning, so it has no click.</li><li>It is the bed of the playout: it goes on through pauses and barge-in. From the moment speech is queued it falls by 6 dB within 100 ms, and rises again in the same way.</li><li>A line of text has no background: <code>problems</code> names the setting there, as before.</li></ol><p><strong>Consequences.</strong> The recording has the background on the agent&#39;s side, as the caller hears it. The first call with a preset makes its sound in the media loop of its process.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0073-a-synthesized-background.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0073ASynthesizedBackground = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0073ASynthesizedBackground as default
};

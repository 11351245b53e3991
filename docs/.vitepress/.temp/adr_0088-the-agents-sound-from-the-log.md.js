import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"88. The agent's sound is made again from the log, and looked for in the recording","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0088-the-agents-sound-from-the-log.md","filePath":"adr/0088-the-agents-sound-from-the-log.md"}`);
const _sfc_main = { name: "adr/0088-the-agents-sound-from-the-log.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_88-the-agent-s-sound-is-made-again-from-the-log-and-looked-for-in-the-recording" tabindex="-1">88. The agent&#39;s sound is made again from the log, and looked for in the recording <a class="header-anchor" href="#_88-the-agent-s-sound-is-made-again-from-the-log-and-looked-for-in-the-recording" aria-label="Permalink to &quot;88. The agent&#39;s sound is made again from the log, and looked for in the recording&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A replay (<a href="/guide/adr/0072-the-log-of-a-call-and-its-replay">72</a>) shows what the rules decide. It does not show that the line played what they decided, where they believe it was heard.</p><p><strong>Decision.</strong></p><ul><li><code>npm run replay -- &lt;file or call id&gt; --sound [recording]</code> takes the texts of the agent from the replayed rules and the places from what the line reported as played, speaks the texts again with the offline voice, which makes the same samples of the same text, and looks for them in the agent&#39;s side of the recording.</li><li>The measure is the share of the windows of 200 ms with sound that are found within 300 ms of their place with a correlation of 0.9 or more, up to where the utterance was heard. Below nine tenths the command fails.</li><li>Nothing is added to the log. Texts with digits are not compared, since their digits are others in the log; calls with another voice cannot be compared, since no provider makes the same sound twice.</li><li>The other way round, <code>npm run bench -- --only replay-sound</code> looks for sound of the agent&#39;s side that no utterance of the log accounts for, in calls whose agent makes no other sound.</li></ul><p><strong>Consequences.</strong> A whole waveform of the agent&#39;s side is not put together: between utterances there are phrases over them, sounds of typing, keys and backgrounds, which the log has no samples of. Hashes of the synthesized sound were left out: the recording says more than a hash of what was sent would.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0088-the-agents-sound-from-the-log.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0088TheAgentsSoundFromTheLog = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0088TheAgentsSoundFromTheLog as default
};

import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"80. What a recording leaves out","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0080-what-a-recording-leaves-out.md","filePath":"adr/0080-what-a-recording-leaves-out.md"}');
const _sfc_main = { name: "adr/0080-what-a-recording-leaves-out.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_80-what-a-recording-leaves-out" tabindex="-1">80. What a recording leaves out <a class="header-anchor" href="#_80-what-a-recording-leaves-out" aria-label="Permalink to &quot;80. What a recording leaves out&quot;">​</a></h1><p><strong>Status:</strong> part of it replaced by <a href="/guide/adr/0087-recordings-are-announced">ADR 87</a></p><p><strong>Context.</strong> Callers enter numbers of cards, by keys and by voice, and people want to pause a recording. Times in a transcript have to stay those of the recording.</p><p><strong>Decision.</strong></p><ul><li>A recording begins with the media of a call whose agent has <code>recording_enabled</code>, and never otherwise. There is no setting for an announcement, for the interface has none: an agent that must announce says so in its <code>first_message</code>, which is then the first sound of the recording too.</li><li>From the first key of the caller until two seconds after the last, or <code>#</code>, the recording holds silence on both sides. A session pauses and resumes it on request in the same way (<code>pauseRecording</code>, <code>resumeRecording</code>). Both reasons can hold at once; it goes on when neither does.</li><li>What is left out is silence of the same length, not removed time.</li><li>Keys in which a number of 13 to 19 digits has a right check digit are in no transcript. Texts of transcripts and lines of logs have <code>[card number]</code> in place of one.</li></ul><p><strong>Consequences.</strong> A number that is spoken is in the sound; only its text is removed, and only where it arrives as digits in one turn. Keys with pauses of more than two seconds between them are separate turns, and the parts of a number are not recognized as one.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0080-what-a-recording-leaves-out.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0080WhatARecordingLeavesOut = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0080WhatARecordingLeavesOut as default
};

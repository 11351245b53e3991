import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"79. Turns outlive their engine","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0079-turns-outlive-their-engine.md","filePath":"adr/0079-turns-outlive-their-engine.md"}');
const _sfc_main = { name: "adr/0079-turns-outlive-their-engine.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_79-turns-outlive-their-engine" tabindex="-1">79. Turns outlive their engine <a class="header-anchor" href="#_79-turns-outlive-their-engine" aria-label="Permalink to &quot;79. Turns outlive their engine&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> An engine handed in the transcript with the completion of the call, and the recording in parts of 1 MiB, which is 65 seconds of sound. An engine that was killed took both along: the call ended as <code>worker_lost</code>, without a word of what was said.</p><p><strong>Decision.</strong></p><ul><li>A worker reports turns while the call goes on: <code>POST /v1/worker-jobs/{job_id}/turns {epoch, first, turns}</code>, under its lease. <code>first</code> is the position of the first turn in the transcript; the turns replace what was reported from there on, so that a repeated report changes nothing and a turn that grew or was cut short is sent again. A position behind a gap is 409; 50 turns go at once, 10,000 are kept.</li><li>Telephony keeps a row for each turn (<code>call_turns</code>), without numbers of cards. When the lease is taken away, or the carrier ends the line of a worker that is gone, the rows become the transcript in the same transaction, and <code>call.transcript.ready</code> follows. The completion of the worker itself wins over them. Rows are deleted when the call ends, and after a day at the latest.</li><li>The engine has one such report under way at a time; what changes meanwhile goes into the next one. Reports go through the same queue as the events of the call, so that none arrives before <code>answered</code>. Calls on the clock that jumps report none.</li><li>Parts of a recording are five seconds long (80 KB), so that no more than that is in memory alone.</li></ul><p><strong>Consequences.</strong> A call of a minute with ten turns costs about 20 small requests more. A recording of the longest call has 348 parts instead of 27. Other workers may leave the turns out; their calls then have no transcript if they die, as before.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0079-turns-outlive-their-engine.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0079TurnsOutliveTheirEngine = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0079TurnsOutliveTheirEngine as default
};

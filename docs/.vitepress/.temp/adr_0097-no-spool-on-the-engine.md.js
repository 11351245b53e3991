import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"97. No spool on the engine","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0097-no-spool-on-the-engine.md","filePath":"adr/0097-no-spool-on-the-engine.md"}');
const _sfc_main = { name: "adr/0097-no-spool-on-the-engine.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_97-no-spool-on-the-engine" tabindex="-1">97. No spool on the engine <a class="header-anchor" href="#_97-no-spool-on-the-engine" aria-label="Permalink to &quot;97. No spool on the engine&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> An engine that is killed takes along what it holds in memory alone. A spool on its disk, replayed by the next process, was considered for reports and for what follows a call: transcript, evidence, input log, recording.</p><p><strong>Decision.</strong> There is none.</p><p>What a killed engine can lose was made small by other means: events of a call are reported as they happen, turns while the call goes on (<a href="/guide/adr/0079-turns-outlive-their-engine">79</a>), and recordings in parts of five seconds. What remains is, by the moment of the kill:</p><table tabindex="0"><thead><tr><th>killed</th><th>kept</th><th>lost</th></tr></thead><tbody><tr><td>while the call goes on</td><td>events, every turn that was reported, the recording until then</td><td>the words since the last report, up to five seconds of sound, the input log</td></tr><tr><td>after the end was reported, before the completion</td><td>the end with its reason, every turn, the recording but its last part</td><td>latencies of the last turn, evidence of answer detection, the input log</td></tr><tr><td>after the completion was taken</td><td>everything but the last part of the recording</td><td>up to five seconds of sound</td></tr></tbody></table><p>A spool could keep the right column of the second and third row, in windows of some milliseconds for a platform that answers, and of as long as it is away for one that does not. It costs a write to disk for each call&#39;s end with what was said on it, which no erasure reaches once the pod is gone; a volume that outlives the pod, without which it saves nothing where a node dies or a pod is rescheduled; and a second way into a record for a process without its lease, which the fencing of jobs exists to prevent. An engine whose platform is away keeps what it has in memory and repeats it until it is taken, and drains for as long as that takes.</p><p><strong>Consequences.</strong> A kill loses a call&#39;s input log. Where that has to be kept, the engine would report it in pieces, as it does turns, and not to a disk.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0097-no-spool-on-the-engine.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0097NoSpoolOnTheEngine = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0097NoSpoolOnTheEngine as default
};

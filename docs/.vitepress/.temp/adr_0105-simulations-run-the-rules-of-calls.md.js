import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"105. Simulations run the rules of calls","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0105-simulations-run-the-rules-of-calls.md","filePath":"adr/0105-simulations-run-the-rules-of-calls.md"}');
const _sfc_main = { name: "adr/0105-simulations-run-the-rules-of-calls.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_105-simulations-run-the-rules-of-calls" tabindex="-1">105. Simulations run the rules of calls <a class="header-anchor" href="#_105-simulations-run-the-rules-of-calls" aria-label="Permalink to &quot;105. Simulations run the rules of calls&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> An agent is to be tried before it is trusted: many scripted conversations, judged by assertions, compared between versions. What is tried must be what conducts calls, and nothing may be dialled, paid for or done in another system.</p><p><strong>Decision.</strong> <code>services/engine/src/simulations</code>.</p><ul><li>A simulated conversation is a <code>Session</code> of the engine on a <code>TextLine</code>, whose callee does what the scenario says, and on a clock that jumps. The platform behind it takes reports and has nothing else.</li><li><strong>No tool is run.</strong> Calls of tools are answered by the scenario&#39;s stubs; one without a stub is <code>unavailable</code>. Tools of the core (<code>end_call</code>) work as in calls. A run that executed webhooks would book real appointments.</li><li>Assertions are judged over the transcript: said or not, exactly or by a regular expression, by whom; tools with arguments; the ended reason; turns; latency in call time. Two reports of a suite are compared by assertion: one holds where it holds in every repetition.</li><li>With a model that replies at once the same suite gives the same report, times included. With a real model the clock passes as real time does while the model is awaited.</li><li>What a suite asks and a line of text cannot do (<code>noise</code>), conditions that exclude each other, and patterns that are none are a <code>SimulationError</code> that names scenario and reason, before anything is run.</li></ul><p><strong>Consequences.</strong></p><ul><li>Suites, runs, jobs and reports are another decision: <a href="/guide/adr/0102-runs-of-simulations">ADR 102</a>.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0105-simulations-run-the-rules-of-calls.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0105SimulationsRunTheRulesOfCalls = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0105SimulationsRunTheRulesOfCalls as default
};

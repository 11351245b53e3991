import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Reference","description":"","frontmatter":{},"headers":[],"relativePath":"reference/index.md","filePath":"reference/README.md"}');
const _sfc_main = { name: "reference/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="reference" tabindex="-1">Reference <a class="header-anchor" href="#reference" aria-label="Permalink to &quot;Reference&quot;">​</a></h1><p>What the interface promises, rule by rule. Each rule has an anchor that code and tests link to, and names the tests that hold it; a lint test follows every link. Fields with their types, bounds, defaults and examples are in <a href="/openapi.json" target="_self">openapi.json</a>, events in <a href="/asyncapi.json" target="_self">asyncapi.json</a>; what runs today and what is simulated is in <a href="/guide/status">status.md</a>.</p><table tabindex="0"><thead><tr><th>page</th><th>what it covers</th></tr></thead><tbody><tr><td><a href="/guide/reference/requests">requests.md</a></td><td>order of checks, values, lists, writing, rates, versions</td></tr><tr><td><a href="/guide/reference/errors">errors.md</a></td><td>codes and statuses</td></tr><tr><td><a href="/guide/reference/keys">keys.md</a></td><td>keys, scopes, organizations, other principals</td></tr><tr><td><a href="/guide/reference/maintenance">maintenance.md</a></td><td>what a window refuses and what goes on</td></tr><tr><td><a href="/guide/reference/agents">agents.md</a></td><td>agents, states, tools</td></tr><tr><td><a href="/guide/reference/voice-stack">voice-stack.md</a></td><td>components, publishing, languages</td></tr><tr><td><a href="/guide/reference/tuning">tuning.md</a></td><td>opening, turn taking, voice polish, answer detection, navigation</td></tr><tr><td><a href="/guide/reference/variables-and-workflows">variables-and-workflows.md</a></td><td>variables, workflows, templates</td></tr><tr><td><a href="/guide/reference/knowledge">knowledge.md</a></td><td>knowledge bases, documents, questions</td></tr><tr><td><a href="/guide/reference/calls">calls.md</a></td><td>placing calls, numbers, money, the record</td></tr><tr><td><a href="/guide/reference/extraction">extraction.md</a></td><td>data from calls</td></tr><tr><td><a href="/guide/reference/simulations">simulations.md</a></td><td>suites, runs, reports</td></tr><tr><td><a href="/guide/reference/analytics">analytics.md</a></td><td>figures of many calls, usage, coverage</td></tr><tr><td><a href="/guide/reference/messages-and-campaigns">messages-and-campaigns.md</a></td><td>messages, campaigns</td></tr><tr><td><a href="/guide/reference/endpoints-and-events">endpoints-and-events.md</a></td><td>subscriptions, delivery, who sees what</td></tr><tr><td><a href="/guide/reference/workers">workers.md</a></td><td>jobs, leases, media gateways</td></tr><tr><td><a href="/guide/reference/mcp">mcp.md</a></td><td>tools for models</td></tr><tr><td><a href="/guide/reference/starting">starting.md</a></td><td>first start, development and production</td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  README as default
};

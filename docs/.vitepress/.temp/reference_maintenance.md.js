import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Maintenance windows","description":"","frontmatter":{},"headers":[],"relativePath":"reference/maintenance.md","filePath":"reference/maintenance.md"}');
const _sfc_main = { name: "reference/maintenance.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="maintenance-windows" tabindex="-1">Maintenance windows <a class="header-anchor" href="#maintenance-windows" aria-label="Permalink to &quot;Maintenance windows&quot;">​</a></h1><p>While a window is open, new work is refused with 503 <code>platform_maintenance</code>, <code>retry_after_seconds</code> and <code>Retry-After</code>. A refused request changed nothing.</p><ul><li><a id="window"></a><strong>Planning.</strong> <code>PUT /v1/maintenance</code> by an operator, with <code>active</code>, or with <code>starts_at</code> and <code>ends_at</code>: such a window begins and ends by itself. <code>active</code> in reads is what holds now, and <code>Retry-After</code> what remains. Every replica obeys within a second. <em>Held by</em> <span class="source" title="services/auth/src/control-state/maintenance.rules.test.ts">maintenance.rules</span>, <span class="source" title="services/auth/test/control.int.test.ts">control.int</span>, <span class="source" title="e2e/control-state.e2e.test.ts">control-state.e2e</span>.</li><li><a id="new-work"></a><strong>New work.</strong> Placing calls and messages; incoming calls (recorded as failed, <code>platform_maintenance</code>, nothing charged); test calls, chat turns, simulation runs; creating and deleting agents and endpoints; changing an agent&#39;s configuration, voice stack, variables, workflow, knowledge or extraction; launching and resuming campaigns. Each route declares whether it is new work. <em>Held by</em> <span class="source" title="services/gateway/test/maintenance.int.test.ts">maintenance.int</span>, <span class="source" title="libs/contract/src/routes/routes.test.ts">routes</span>.</li><li><a id="not-new-work"></a><strong>What goes on.</strong> Calls in progress with their transfers and messages; reads; reports and webhooks of carriers; incoming messages; wallet; keys and credentials; pausing and canceling campaigns; previews; setting an agent to <code>inactive</code> and nothing else. <em>Held by</em> <span class="source" title="services/gateway/test/maintenance.int.test.ts">maintenance.int</span>, <span class="source" title="e2e/agent-states.e2e.test.ts">agent-states.e2e</span>.</li><li><a id="waiting"></a><strong>Queues.</strong> Queued calls and running campaigns wait; nothing is failed or used up. A campaign whose end passes meanwhile ends then. <em>Held by</em> <span class="source" title="services/telephony/test/held-back-jobs.int.test.ts">held-back-jobs.int</span>, <span class="source" title="services/telephony/test/campaigns.int.test.ts">campaigns.int</span>.</li><li><a id="tools"></a><strong>Tools.</strong> The same actions through MCP fail with this error in the result of the tool. <em>Held by</em> <span class="source" title="services/gateway/test/mcp.int.test.ts">mcp.int</span>.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/maintenance.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const maintenance = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  maintenance as default
};

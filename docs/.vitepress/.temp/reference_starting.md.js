import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Starting","description":"","frontmatter":{},"headers":[],"relativePath":"reference/starting.md","filePath":"reference/starting.md"}');
const _sfc_main = { name: "reference/starting.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="starting" tabindex="-1">Starting <a class="header-anchor" href="#starting" aria-label="Permalink to &quot;Starting&quot;">​</a></h1><ul><li><a id="npm-start"></a><strong><code>npm start</code></strong> on a fresh clone installs, builds, starts servers of its own where none are named, and ends with the platform on 127.0.0.1:8080 and a first simulated call. <em>Held by</em> <span class="source" title="e2e/start.e2e.test.ts">start.e2e</span>.</li><li><a id="dev-json"></a><strong><code>.parley/dev.json</code></strong> has <code>base_url</code>, <code>organization_id</code>, <code>project_id</code>, <code>admin_key</code> (<code>all</code>) and <code>operator_key</code>. <em>Held by</em> <span class="source" title="e2e/start.e2e.test.ts">start.e2e</span>.</li><li><a id="servers"></a><strong>Servers.</strong> <code>DATABASE_URL</code>, <code>NATS_URL</code>, <code>REDIS_URL</code> where they are set. Data lies below <code>.parley/</code>, or in <code>/var/tmp</code> where the database&#39;s user cannot reach the checkout. <em>Held by</em> <span class="source" title="scripts/servers.test.mts">servers</span>, <span class="source" title="scripts/servers/install.test.mts">install</span>, <span class="source" title="scripts/servers/database-user.test.mts">database-user</span>.</li><li><a id="new-organization"></a><strong>A new organization</strong> is unmetered and has no quiet hours, consent rule or list of countries; premium and emergency numbers are refused all the same. <em>Held by</em> <span class="source" title="services/auth/test/organizations.int.test.ts">organizations.int</span>, <span class="source" title="services/telephony/src/policy/outbound-policy.rules.test.ts">outbound-policy</span>.</li><li><a id="production"></a><strong>Production</strong> refuses http, loopback addresses and the simulator unless it is switched on. <em>Held by</em> <span class="source" title="libs/contract/src/rules/address.test.ts">address</span>, <span class="source" title="services/engine/src/config.test.ts">config</span>.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/starting.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const starting = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  starting as default
};

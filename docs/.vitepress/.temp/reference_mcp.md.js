import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"MCP","description":"","frontmatter":{},"headers":[],"relativePath":"reference/mcp.md","filePath":"reference/mcp.md"}');
const _sfc_main = { name: "reference/mcp.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="mcp" tabindex="-1">MCP <a class="header-anchor" href="#mcp" aria-label="Permalink to &quot;MCP&quot;">​</a></h1><p><code>POST /mcp</code>; tools and toolsets: <a href="/guide/mcp">mcp.md</a>.</p><ul><li><a id="list"></a><strong>Listing.</strong> Every tool is listed for every key. <em>Held by</em> <span class="source" title="services/gateway/test/mcp.int.test.ts">mcp.int</span>, <span class="source" title="services/gateway/src/mcp/tool-list.test.ts">tool-list</span>.</li><li><a id="scopes"></a><strong>Scopes.</strong> A call without its scopes fails with <code>missing MCP scopes: &lt;scope&gt;</code> and does nothing. <em>Held by</em> <span class="source" title="services/gateway/test/mcp.int.test.ts">mcp.int</span>.</li><li><a id="organization"></a><strong>Organization.</strong> Another <code>organization_id</code> than the key&#39;s is <code>MCP organization mismatch</code>. <em>Held by</em> <span class="source" title="services/gateway/test/mcp.int.test.ts">mcp.int</span>.</li><li><a id="out-of-reach"></a><strong>Out of reach.</strong> No tool touches numbers, wallet, keys, credentials, providers, approvals, erasure or people; no result carries a secret. <em>Held by</em> <span class="source" title="services/gateway/test/mcp-secrets.int.test.ts">mcp-secrets.int</span>, <span class="source" title="libs/contract/src/routes/routes.test.ts">routes</span>.</li><li><a id="protocol"></a><strong>Protocol.</strong> Both current revisions, stateless, JSON answers; GET and DELETE are 405; an Origin that is not allowed is 403. <em>Held by</em> <span class="source" title="services/gateway/test/mcp-protocol.int.test.ts">mcp-protocol.int</span>.</li><li><a id="large"></a><strong>Large answers</strong> are cut with a cursor. <em>Held by</em> <span class="source" title="services/gateway/test/mcp-large.int.test.ts">mcp-large.int</span>.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/mcp.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const mcp = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  mcp as default
};

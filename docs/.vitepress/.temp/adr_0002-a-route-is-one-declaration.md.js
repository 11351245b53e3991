import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"2. A route is one declaration","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0002-a-route-is-one-declaration.md","filePath":"adr/0002-a-route-is-one-declaration.md"}');
const _sfc_main = { name: "adr/0002-a-route-is-one-declaration.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_2-a-route-is-one-declaration" tabindex="-1">2. A route is one declaration <a class="header-anchor" href="#_2-a-route-is-one-declaration" aria-label="Permalink to &quot;2. A route is one declaration&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A route&#39;s scope, body, errors, behaviour in a maintenance window and idempotency are needed by the middleware, the reference documentation, the MCP tools and several tests. Written in each place they drift apart.</p><p><strong>Decision.</strong> <code>libs/contract/src/routes</code> declares each route once: method, path, scope, audience, body and query classes, answer, RPC, whether it is new work, whether it creates, how foreign records answer, its errors. Everything else reads that declaration. The gateway refuses to start when a declared route has no handler or a handler no declaration.</p><p><strong>Consequences.</strong> Adding a route starts in the contract. Tests walk the declarations, so that a new route is under the scope, maintenance and isolation tests from the moment it is declared.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0002-a-route-is-one-declaration.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0002ARouteIsOneDeclaration = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0002ARouteIsOneDeclaration as default
};

import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"13. Two commands bring everything","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0013-two-commands.md","filePath":"adr/0013-two-commands.md"}');
const _sfc_main = { name: "adr/0013-two-commands.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_13-two-commands-bring-everything" tabindex="-1">13. Two commands bring everything <a class="header-anchor" href="#_13-two-commands-bring-everything" aria-label="Permalink to &quot;13. Two commands bring everything&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A platform of seven services that needs a page of instructions is not tried.</p><p><strong>Decision.</strong> <code>npm start</code> and <code>npm test</code> work in a fresh clone with any Node from 18: the bootstrap script installs the pinned Node where the machine&#39;s is too old, the dependencies, generates, builds, and finds or installs real PostgreSQL, NATS and Redis on private ports. Addresses in the environment win over private servers. Tests use servers of their own.</p><p><strong>Consequences.</strong> No mocks of the servers anywhere, and no difference between a newcomer&#39;s machine and the continuous build.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0013-two-commands.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0013TwoCommands = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0013TwoCommands as default
};

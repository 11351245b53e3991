import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"9. CommonJS, legacy decorators, compiled output","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0009-commonjs-and-compiled-output.md","filePath":"adr/0009-commonjs-and-compiled-output.md"}');
const _sfc_main = { name: "adr/0009-commonjs-and-compiled-output.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_9-commonjs-legacy-decorators-compiled-output" tabindex="-1">9. CommonJS, legacy decorators, compiled output <a class="header-anchor" href="#_9-commonjs-legacy-decorators-compiled-output" aria-label="Permalink to &quot;9. CommonJS, legacy decorators, compiled output&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> class-validator reads <code>design:type</code> metadata, which only the legacy decorators with <code>emitDecoratorMetadata</code> give. Tools that strip types at run time emit none.</p><p><strong>Decision.</strong> Libraries and services compile to CommonJS with project references, and production runs what was compiled. Scripts outside the product (<code>scripts/*.mts</code>) use erasable syntax only and run as they are.</p><p><strong>Consequences.</strong> One build step, done incrementally by <code>npm start</code> and <code>npm test</code>. Tests are compiled by swc with the same decorator settings.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0009-commonjs-and-compiled-output.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0009CommonjsAndCompiledOutput = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0009CommonjsAndCompiledOutput as default
};

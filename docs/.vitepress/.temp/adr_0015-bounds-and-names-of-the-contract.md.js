import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"15. Bounds and names that the contract adds","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0015-bounds-and-names-of-the-contract.md","filePath":"adr/0015-bounds-and-names-of-the-contract.md"}');
const _sfc_main = { name: "adr/0015-bounds-and-names-of-the-contract.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_15-bounds-and-names-that-the-contract-adds" tabindex="-1">15. Bounds and names that the contract adds <a class="header-anchor" href="#_15-bounds-and-names-that-the-contract-adds" aria-label="Permalink to &quot;15. Bounds and names that the contract adds&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> The interface bounds most fields and leaves some open. An unbounded field is a way to fill a database; an unstated bound is a surprise. What a client read must be accepted when it is sent back, also where a read shows a field in another shape.</p><p><strong>Decision.</strong></p><ul><li>Bounds of our own, all in <code>libs/contract/src/limits.ts</code> or beside their field, and in the OpenAPI document: names 200 characters, first_message 10,000, ids 64, addresses 2048, a tool&#39;s description 2000, its parameters, config and a component&#39;s options 16 KiB, 32 headers of a webhook tool, a message of a maintenance window 500, a claim of 100 jobs and 30 seconds, 1000 leases in a heartbeat, 20 events in a report.</li><li>Lengths count Unicode code points, as JSON Schema does. A voicemail message is measured after its whitespace is collapsed.</li><li>A number that a double cannot hold as written is refused everywhere in a body, free-form objects included: a whole number beyond 2^53-1, 1e999, 1e-999.</li><li>Language codes are bounded by length alone. What no provider knows is a blocker of the publication, never a syntax error.</li><li><code>status</code> is ignored at creation: an agent begins active. <code>language_profiles</code> and <code>audio_environment</code> are accepted in the shape that a read shows: the profiles are taken, an invalid selection is left as stored.</li><li>An empty <code>audio_environment</code> resets it; a volume without a preset is refused.</li><li>Deleting an agent endpoint is a route of our own, so a foreign one is 404; its PATCH, which the interface shows, is 403.</li><li>class-validator&#39;s decorators declare the rules and its registry keeps them; our own executor runs them. Theirs reads its metadata anew for each object, tells faults in no fixed order, takes an array for an object and null for absent.</li></ul><p><strong>Consequences.</strong> A bound is changed in one place and moves the document, the tests and the refusal together. Raising one is compatible; lowering one is not.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0015-bounds-and-names-of-the-contract.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0015BoundsAndNamesOfTheContract = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0015BoundsAndNamesOfTheContract as default
};

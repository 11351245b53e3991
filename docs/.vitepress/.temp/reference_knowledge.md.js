import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Knowledge","description":"","frontmatter":{},"headers":[],"relativePath":"reference/knowledge.md","filePath":"reference/knowledge.md"}');
const _sfc_main = { name: "reference/knowledge.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="knowledge" tabindex="-1">Knowledge <a class="header-anchor" href="#knowledge" aria-label="Permalink to &quot;Knowledge&quot;">​</a></h1><p>Bases, documents and questions (<a href="/guide/knowledge">knowledge.md</a>).</p><ul><li><a id="bases"></a><strong>Bases</strong> belong to a project and have one language, which stays. 100 an organization, exactly under concurrency: one more is 409. <em>Held by</em> <span class="source" title="services/knowledge/test/bases.int.test.ts">bases.int</span>.</li><li><a id="documents"></a><strong>Documents</strong> are a text, an address that is read once, or bytes; <code>empty</code>, <code>processing</code>, <code>ready</code>, <code>failed</code> with a code. 1,000 a base. <em>Held by</em> <span class="source" title="services/knowledge/test/documents.int.test.ts">documents.int</span>.</li><li><a id="reading"></a><strong>Reading</strong> is bounded in time and memory for each content, and happens once at a time, whichever replica dies or stops meanwhile; what finishes late changes nothing. <em>Held by</em> <span class="source" title="services/knowledge/test/documents.int.test.ts">documents.int</span>.</li><li><a id="questions"></a><strong>Questions</strong> find pieces by their words, with document and position; nothing of another organization, of a deleted document or of a base that was not asked. <em>Held by</em> <span class="source" title="services/knowledge/test/search.int.test.ts">search.int</span>.</li><li><a id="agents"></a><strong>Agents</strong> name up to ten bases of their own project: another one is 400 naming it. New work in a maintenance window. <em>Held by</em> <span class="source" title="services/agents/test/knowledge-bases.int.test.ts">knowledge-bases.int</span>, <span class="source" title="libs/contract/src/routes/routes.test.ts">routes</span>.</li><li><a id="calls"></a><strong>In calls</strong> the tool <code>query_knowledge</code> asks the bases that the agent had when the call began, under the lease of its worker; sources stand on the transcript. <em>Held by</em> <span class="source" title="services/telephony/test/worker-knowledge.int.test.ts">worker-knowledge.int</span>, <span class="source" title="services/engine/test/tools.int.test.ts">tools.int</span>, <span class="source" title="e2e/knowledge.e2e.test.ts">knowledge.e2e</span>.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/knowledge.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const knowledge = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  knowledge as default
};

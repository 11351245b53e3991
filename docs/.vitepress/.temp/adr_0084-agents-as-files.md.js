import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"84. The command line applies agents from files and refuses what it did not expect","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0084-agents-as-files.md","filePath":"adr/0084-agents-as-files.md"}');
const _sfc_main = { name: "adr/0084-agents-as-files.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_84-the-command-line-applies-agents-from-files-and-refuses-what-it-did-not-expect" tabindex="-1">84. The command line applies agents from files and refuses what it did not expect <a class="header-anchor" href="#_84-the-command-line-applies-agents-from-files-and-refuses-what-it-did-not-expect" aria-label="Permalink to &quot;84. The command line applies agents from files and refuses what it did not expect&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Teams keep agents in a repository, and people change them elsewhere at the same time. Tools that overwrite lose such changes without a word.</p><p><strong>Decision.</strong></p><ul><li>A lock file of each environment keeps, for each agent, its id, what was applied last and how the platform read after that. A field differs from the file where the file was changed; the platform differs from the lock where someone else changed it. The second is refused until it is forced.</li><li>Every agent is inspected before the first is written. Writes carry the ETag of that inspection.</li><li>The Idempotency-Key of a creation is in the lock file before the request: a creation whose answer was lost is not done twice, and another folder makes another agent.</li><li>One exit code for each kind of failure, for scripts.</li><li>The program uses the SDK alone.</li></ul><p><strong>Consequences.</strong> An agent takes two writes, to the agent and to its voice stack; what comes between the two is refused by If-Match, and the next application writes the whole file. Files are not written back from the platform yet.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0084-agents-as-files.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0084AgentsAsFiles = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0084AgentsAsFiles as default
};

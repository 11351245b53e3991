import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"14. What publishes an agent, and what moves its revisions","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0014-what-publishes-an-agent.md","filePath":"adr/0014-what-publishes-an-agent.md"}');
const _sfc_main = { name: "adr/0014-what-publishes-an-agent.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_14-what-publishes-an-agent-and-what-moves-its-revisions" tabindex="-1">14. What publishes an agent, and what moves its revisions <a class="header-anchor" href="#_14-what-publishes-an-agent-and-what-moves-its-revisions" aria-label="Permalink to &quot;14. What publishes an agent, and what moves its revisions&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> The interface says that saves after a language opt-in republish, that tuning applies at call start, and that stale revisions are conflicts. It leaves open which fields count, what <code>language_profile_revision</code> counts, and how a read stays one select when cost, latency and warnings depend on the provider catalogue.</p><p><strong>Decision.</strong></p><ul><li>An agent is opted in while its document holds <code>languages</code>. Creation stores them and publishes nothing; the first save that carries <code>languages</code> publishes also when they are unchanged. From then on a save publishes when it changes what a publication is compiled from: mode, engine, language fields, prompt, first message, components, credentials, translation. Tools and the tuning sections are pinned by each call from <code>CallTuning</code>, which wins over the tools in a publication&#39;s content.</li><li><code>revision</code> of an agent counts every stored change and is its ETag, shared by the agent and its voice stack. <code>language_profiles.revision</code> counts changes of the language fields and publications. A save that changes nothing writes nothing.</li><li>Reads are rendered at every write and stored as text with the catalogue version. A job computes projections of another version anew and moves the revision, so that a strong ETag never stands for two contents.</li><li>Under <code>follow_caller</code> one transcriber hears every language: the shared one, else one that a profile names. A candidate limit is never above 32, the most languages a publication can hold.</li><li>Components of providers with accounts are blocked by <code>credential_missing</code> unless a credential is bound or PLATFORM_PROVIDERS names the provider. Voice-to-voice engines run on the simulator alone and need no account.</li><li>Development runs on simulator components by default; production defaults to Deepgram, OpenAI and ElevenLabs.</li></ul><p><strong>Consequences.</strong> A voice-stack save costs one hop to compile and one statement to commit; a tuning save costs no hop. Raising <code>Publication.version</code> changes every hash, so a change of a publication&#39;s shape publishes nothing by itself.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0014-what-publishes-an-agent.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0014WhatPublishesAnAgent = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0014WhatPublishesAnAgent as default
};

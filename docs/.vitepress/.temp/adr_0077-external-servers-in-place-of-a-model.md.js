import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"77. An agent's own server stands in place of its model","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0077-external-servers-in-place-of-a-model.md","filePath":"adr/0077-external-servers-in-place-of-a-model.md"}`);
const _sfc_main = { name: "adr/0077-external-servers-in-place-of-a-model.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_77-an-agent-s-own-server-stands-in-place-of-its-model" tabindex="-1">77. An agent&#39;s own server stands in place of its model <a class="header-anchor" href="#_77-an-agent-s-own-server-stands-in-place-of-its-model" aria-label="Permalink to &quot;77. An agent&#39;s own server stands in place of its model&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Agents of the mode <code>external_text</code> take their words from a server of the customer. Jobs carried neither its address nor anything that signs for it.</p><p><strong>Decision.</strong></p><ul><li>The server is a source of replies next to models and workflows (<code>ExternalReplies</code>): the core sees deltas, <code>end_call</code> and the end. Turn taking, interruption, transcript and recording are those of every other call. A request is made only when the caller&#39;s turn has ended, never in advance, because a server may act on it; an interruption aborts it.</li><li>The job names the mode. The address and the secrets are opened under the lease (<code>external</code> of the credentials), read as they are then, for hosted and own workers alike.</li><li>The secret is the agent&#39;s, kept with those of its tools under a name that no tool can have, and made by <code>POST /v1/agents/{agent_id}/rotate-secret</code>. Until one is made nothing is signed: a secret that nobody was shown proves nothing.</li><li><code>webhook-id</code> is the id of the call and its turn.</li><li>No failure is asked again by the platform: the caller hears the phrase for speech that was not recognised, and three failures in a row end the call as an unresponsive model does.</li></ul><p><strong>Consequences.</strong> A workflow that the agent has published is not run while its mode is external. <code>transfer_to</code> is read and left out until calls can be transferred. <code>external_audio</code> is <a href="/guide/adr/0085-the-sound-of-a-call-to-the-customers-server">ADR 85</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0077-external-servers-in-place-of-a-model.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0077ExternalServersInPlaceOfAModel = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0077ExternalServersInPlaceOfAModel as default
};

import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"29. An image of Node and the services, and nothing else","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0029-an-image-of-node-and-the-services.md","filePath":"adr/0029-an-image-of-node-and-the-services.md"}');
const _sfc_main = { name: "adr/0029-an-image-of-node-and-the-services.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_29-an-image-of-node-and-the-services-and-nothing-else" tabindex="-1">29. An image of Node and the services, and nothing else <a class="header-anchor" href="#_29-an-image-of-node-and-the-services-and-nothing-else" aria-label="Permalink to &quot;29. An image of Node and the services, and nothing else&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> The image could stand on the slim image of Node, as most do. That holds a shell, a package manager, npm and some sixty Debian packages that no process of ours ever runs; together with our production dependencies it is over 300 MB, and each of its packages turns up in a scanner&#39;s report some day.</p><p><strong>Decision.</strong> The slim image is where we build, and the image itself is put together from nothing: the Node binary, the libraries that the loader says it needs, <code>/etc/passwd</code> with one user, and the tree of the services. <code>scripts/images/assemble.sh</code> does it.</p><p><strong>Consequences.</strong></p><ul><li>212 MB, half of it Node.</li><li>Process 1 is Node. There is no shell that could keep SIGTERM to itself.</li><li>What scanners read (one file a package under <code>/var/lib/dpkg/status.d</code>) is there for the three packages that are.</li><li>One image for all services: they share nine tenths of their files, one tag is one release, and a node that runs several fetches it once.</li></ul><p>What it costs: no <code>kubectl exec … sh</code>. Commands of the services run through Node, and for looking around there are ephemeral containers.</p><p>It is built here without a Docker engine and played with podman (<code>npm run images:test</code>), so that what is said of it is tried.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0029-an-image-of-node-and-the-services.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0029AnImageOfNodeAndTheServices = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0029AnImageOfNodeAndTheServices as default
};

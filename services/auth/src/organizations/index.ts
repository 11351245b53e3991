/** Organizations and their projects. */
export { createOrganization } from './create-organization';
export { createProject } from './create-project';
export { getOrganization } from './get-organization';
export { getProject } from './get-project';
export { listOrganizations } from './list-organizations';
export { listProjects } from './list-projects';
export { organizationAndProjects } from './organization-and-projects';
export { organizationView, projectView } from './organization-views.rules';
export { organizationExists } from './organizations.sql';
export { rememberedRecords } from './remembered-records.cross-tenant.sql';
export { listBillingChanges } from './list-billing-changes';
export { resolveProject } from './resolve-project';
export { setStatusOfOrganization } from './set-organization-status';
export { updateOrganization } from './update-organization';

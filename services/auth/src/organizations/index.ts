/** Organizations and their projects. */
export { createOrganization } from './create-organization';
export { createProject } from './create-project';
export { getOrganization, listOrganizations, listBillingChanges } from './read-organizations';
export { getProject, listProjects, resolveProject, organizationAndProjects } from './read-projects';
export { organizationView, projectView } from './organization.rules';
export { organizationExists } from './organizations.sql';
export { recordExists } from './organizations.cross-tenant.sql';
export { setStatusOfOrganization } from './set-organization-status';
export { updateOrganization } from './update-organization';

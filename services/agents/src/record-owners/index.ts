/** The organization of a record, for operators who do not name it. */
export { findConnectionOwner, findTemplateOwner } from './record-owners.cross-tenant.sql';

/** The organization of a record, for those who do not name it: operators and reports of carriers. */
export { ownerOfCall, ownerOfMessage, ownerOfSipTrunk, ownerOfTopUp } from './record-owners.cross-tenant.sql';

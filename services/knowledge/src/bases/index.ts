/** Knowledge bases: documents in one language that agents can search. */
export { createBase } from './create-base';
export { deleteBase, updateBase } from './change-base';
export { getBase, listBases, ownerOfBase } from './read-bases';
export { findBase, lockBase, ownedBases } from './bases.sql';
export { recordExists } from './base-owner.cross-tenant.sql';

/** Documents of knowledge bases. Their content is processed in the background and divided into chunks. */
export { createDocument } from './create-document';
export { deleteDocument, dropDocumentParts, putDocumentContent, putDocumentPart } from './change-document';
export { removeStaleParts } from './due-documents.cross-tenant.sql';
export { getDocument, listDocuments } from './read-documents';
export { readInProcess } from './content-reader';
export { processDocument, type Processing, removeNext } from './process-document';

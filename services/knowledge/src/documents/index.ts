/** Documents of knowledge bases. Their content is processed in the background and divided into chunks. */
export { createDocument } from './create-document';
export { deleteDocument, putDocumentContent } from './change-document';
export { getDocument, listDocuments } from './read-documents';
export { readInProcess } from './content-reader';
export { processDocument, type Processing, removeNext } from './process-document';

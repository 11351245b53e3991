-- Signing secrets of the webhook tools by name: JSON text of base64 of what the vault sealed. Beside the document, which is
-- read by many; in the row, so that tools and secrets change in one statement.
alter table agents add column tool_secrets text not null default '{}';

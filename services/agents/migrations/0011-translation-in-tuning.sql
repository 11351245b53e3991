-- Calls and messages take the translation policy along with the tuning.
update agents set tuning = (tuning::jsonb || jsonb_build_object('translation', document::jsonb -> 'translation'))::text
where document::jsonb ? 'translation';

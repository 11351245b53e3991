alter table calls
  -- JSON of AnswerDetectionModes, as set when the call was dialled. Null: not dialled, incoming, or a call of before.
  add column answer_detection text,
  add column mailbox_proof text check (mailbox_proof in ('beep', 'mailbox_instruction')),
  -- JSON of the class NavigationTimes. Null: the call did not navigate.
  add column navigation text;

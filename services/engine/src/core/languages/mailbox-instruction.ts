/** Languages in which instructions are evidence of a mailbox (docs/reference/tuning.md). For de, es, et, fr and ru this has not been verified yet. */
const verified: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    // "Leave a message after the tone", in either order.
    /\b(?:leave|record)\b[^.?!]*\b(?:message|name|number)\b[^.?!]*\b(?:after|at|following) the (?:tone|beep|signal)\b/i,
    /\b(?:after|at|following) the (?:tone|beep|signal),?[^.?!]*\b(?:leave|record)\b[^.?!]*\b(?:message|name|number)\b/i,
    // "Please leave a message" or "your name and number" as a machine phrases it: not "with me", and not a question. Transcribers without punctuation may put
    // other words before it.
    /(?<!\b(?:you|to|can|could|would|will|should|not|never) )\bplease (?:leave|record) (?:us |me )?(?:a|your) (?:(?:\w+ )?message|name and (?:your )?(?:\w+ )?(?:number|message))(?:$|[.!,]| and\b| after the \w+(?:$|[.!,]))/i,
  ],
};

/** Whether the text is a mailbox instruction in the language of the call. Returns false for uncertain matches. */
export function isMailboxInstruction(heard: string, language: string): boolean {
  const [base = ''] = language.toLowerCase().split(/[-_]/);
  return (verified[base] ?? []).some((instruction) => instruction.test(heard));
}

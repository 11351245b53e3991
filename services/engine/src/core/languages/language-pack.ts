/** Languages whose instructions prove a mailbox (docs/reference/tuning.md); de, es, et, fr and ru are candidates, which prove none. */
const verified: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    // "Leave a message after the tone", in either order.
    /\b(?:leave|record)\b[^.?!]*\b(?:message|name|number)\b[^.?!]*\b(?:after|at|following) the (?:tone|beep|signal)\b/i,
    /\b(?:after|at|following) the (?:tone|beep|signal),?[^.?!]*\b(?:leave|record)\b[^.?!]*\b(?:message|name|number)\b/i,
    // "Please leave a message", as a machine says it: not "with me", not as a question.
    /(?:^|[.!?,] |\b(?:so|and) )please (?:leave|record) (?:us |me )?(?:a|your) (?:\w+ )?message(?:$|[.!,]| and\b)/i,
  ],
};

/** Whether what was heard is the instruction of a mailbox, in the language of the call. What is not sure proves nothing. */
export function isMailboxInstruction(heard: string, language: string): boolean {
  const [base = ''] = language.toLowerCase().split(/[-_]/);
  return (verified[base] ?? []).some((instruction) => instruction.test(heard));
}

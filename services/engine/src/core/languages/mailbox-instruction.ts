import { baseLanguage } from '@parley/contract';

/** Languages in which instructions are evidence of a mailbox (docs/reference/tuning.md). For de, es, et, fr and ru this has not been verified yet. */
const verified: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    // "Leave a message after the tone", in either order. Services that screen calls ask to record a name alone.
    /\b(?:leave|record)\b[^.?!]*\b(?:message|number)\b[^.?!]*\b(?:after|at|following) the (?:tone|beep|signal)\b/i,
    /\b(?:after|at|following) the (?:tone|beep|signal),?[^.?!]*\b(?:leave|record)\b[^.?!]*\b(?:message|number)\b/i,
    // "Please leave a message" or "your name and number" as a machine phrases it: not "with me", and not a question. Transcribers without punctuation may put
    // other words before it.
    /(?<!\b(?:you|to|can|could|would|will|should|not|never) )\bplease (?:leave|record) (?:us |me )?(?:a|your) (?:(?:\w+ )?message|name and (?:your )?(?:\w+ )?(?:number|message))(?:$|[.!,]| and\b| after the \w+(?:$|[.!,]))/i,
  ],
};

/** Whether the text is a mailbox instruction in the language of the call. Returns false for uncertain matches. */
export function isMailboxInstruction(heard: string, language: string): boolean {
  return (verified[baseLanguage(language)] ?? []).some((instruction) => instruction.test(heard));
}

/** English, in which such services and many networks announce, counts in every language. */
const screening: Readonly<Record<string, RegExp>> = {
  en: /\b(?:(?:record|state|say|give|announce) your name\b(?! and (?:your )?(?:\w+ )?(?:number|message)\b)|(?:call|caller) (?:is being |will be )?screen(?:ed|ing)|screening service|call (?:assist|guard|screen)\b|your name and (?:the )?reason (?:for|why|you)|see if (?:this person|they|he|she) (?:is|are|'s) available)/i,
  de: /(?:nennen|sagen|hinterlassen) sie (?:bitte )?(?:ihren namen|den grund ihres anrufs)(?! und (?:ihre )?(?:\p{L}+ )?(?:nummer|nachricht))/iu,
  fr: /(?:dites|indiquez|donnez|enregistrez) (?:s'il vous plaît )?(?:votre nom|la raison de votre appel)(?! et (?:votre )?(?:numéro|message))/iu,
  es: /(?:diga|indique|grabe) (?:por favor )?su nombre(?! y (?:su )?(?:número|mensaje))/iu,
};

const outOfService: Readonly<Record<string, RegExp>> = {
  en: /\b(?:number|line|extension)\b[^.?!]*\b(?:(?:not|no longer) (?:in (?:service|use)|assigned|available|valid|recognized|recognised|working|connected)|out of (?:order|service)|(?:been )?(?:disconnected|changed to)|does not exist|not (?:been )?(?:allocated|assigned))|\bcall (?:cannot|can not|could not|can't) be (?:completed|connected) as (?:diall?ed|entered)|\bnumber (?:you (?:have )?)?(?:diall?ed|called) (?:is (?:invalid|incorrect)|cannot be)/i,
  de: /kein anschluss unter dieser nummer|(?:rufnummer|nummer) ist (?:uns )?(?:nicht (?:bekannt|vergeben|belegt)|ungültig)/iu,
  fr: /(?:numéro|ligne)[^.?!]*(?:n'est (?:pas|plus) (?:attribué|en service)|n'existe pas)/iu,
  es: /número[^.?!]*(?:no existe|no (?:está|se encuentra) (?:en servicio|asignado|disponible)|fuera de servicio)/iu,
  it: /numero[^.?!]*(?:inesistente|non (?:è|e) (?:attivo|più attivo|in servizio|corretto))/iu,
  nl: /nummer[^.?!]*(?:niet (?:meer )?in gebruik|bestaat niet|buiten gebruik)/iu,
  pt: /número[^.?!]*(?:não existe|não está (?:atribuído|em serviço)|inexistente|fora de serviço)/iu,
  ru: /(?:набранный (?:вами )?номер|номер)[^.?!]*(?:не существует|не обслуживается|не зарегистрирован)/iu,
  pl: /(?:wybrany numer|numer)[^.?!]*(?:nie istnieje|jest nieaktywny|nieprawidłowy)/iu,
};

/** Whether a machine that is no mailbox says this: one that screens calls, or the announcement of a network. */
export function callMachineIn(heard: string, language: string): 'call_screening' | 'not_in_service' | undefined {
  const says = (one: Readonly<Record<string, RegExp>>): boolean =>
    [one['en'], one[baseLanguage(language)]].some((phrases) => phrases?.test(heard) === true);
  if (says(outOfService)) return 'not_in_service';
  return says(screening) && !isMailboxInstruction(heard, language) ? 'call_screening' : undefined;
}

import { isRefusal } from './refusals';

/** A refusal and a consent in each language. */
const answers: readonly (readonly [language: string, refusal: string, consent: string])[] = [
  ['af', 'Nee, dankie', 'Ja, asseblief'],
  ['ar', 'لا، شكرا', 'نعم، من فضلك'],
  ['bg', 'Не, благодаря', 'Да, моля'],
  ['ca', 'No, gràcies', 'Sí, endavant'],
  ['cs', 'Ne, děkuji', 'Ano, prosím'],
  ['da', 'Nej tak', 'Ja tak'],
  ['de-AT', 'Nein, lieber nicht', 'Ja, bitte stornieren'],
  ['el', 'Όχι, ευχαριστώ', 'Ναι, παρακαλώ'],
  ['en-US', 'No, thanks', 'Yes, cancel it'],
  ['en', 'I don’t want that', 'Sure, go ahead'],
  ['es', 'No, gracias', 'Sí, adelante'],
  ['et', 'Ei, aitäh', 'Jah, palun'],
  ['fi', 'Ei kiitos', 'Kyllä, kiitos'],
  ['fr', 'Surtout pas', 'Oui, allez-y'],
  ['he', 'לא, תודה', 'כן, בבקשה'],
  ['hi', 'नहीं, धन्यवाद', 'हाँ, ठीक है'],
  ['hr', 'Ne, hvala', 'Da, molim'],
  ['hu', 'Nem, köszönöm', 'Igen, kérem'],
  ['id', 'Tidak usah', 'Ya, silakan'],
  ['it', 'No, grazie', 'Sì, prego'],
  ['ja', 'いいえ、やめてください', 'はい、お願いします'],
  ['ko', '하지 마세요', '네, 해 주세요'],
  ['lt', 'Ne, ačiū', 'Taip, prašau'],
  ['lv', 'Nē, paldies', 'Jā, lūdzu'],
  ['nb', 'Nei takk', 'Ja takk'],
  ['nl', 'Nee, dank u', 'Ja, graag'],
  ['pl', 'Nie, dziękuję', 'No tak, proszę'],
  ['pt-BR', 'Não, obrigado', 'Sim, por favor'],
  ['ro', 'Nu, mulțumesc', 'Da, vă rog'],
  ['ru', 'Нет, не надо', 'Да, пожалуйста'],
  ['sk', 'Nie, ďakujem', 'Áno, prosím'],
  ['sv', 'Nej tack', 'Ja tack'],
  ['th', 'ไม่เอา', 'ใช่ครับ'],
  ['tr', 'Hayır, teşekkürler', 'Evet, lütfen'],
  ['uk', 'Ні, дякую', 'Так, будь ласка'],
  ['vi', 'Không, cảm ơn', 'Vâng, được'],
  ['zh-CN', '不要', '好的，请'],
  ['bn', 'না, ধন্যবাদ', 'হ্যাঁ, ঠিক আছে'],
  ['bs', 'Ne, hvala', 'Da, molim'],
  ['eu', 'Ez, eskerrik asko', 'Bai, mesedez'],
  ['fa', 'نه، ممنون', 'بله، لطفا'],
  ['ga', 'Ná déan', 'Sea, le do thoil'],
  ['gl', 'Non, grazas', 'Si, por favor'],
  ['hy', 'Ոչ, շնորհակալություն', 'Այո, խնդրում եմ'],
  ['is', 'Nei, takk', 'Já, takk'],
  ['ms', 'Tidak, terima kasih', 'Ya, sila'],
  ['ne', 'होइन, धन्यवाद', 'हो, ठीक छ'],
  ['nn', 'Nei, ikkje gjer det', 'Ja, gjer det'],
  ['no', 'Nei takk', 'Ja takk'],
  ['sl', 'Ne, hvala', 'Da, prosim'],
  ['sr', 'Не, хвала', 'Да, молим'],
  ['sw', 'Hapana, asante', 'Ndiyo, tafadhali'],
  ['ta', 'வேண்டாம், நன்றி', 'ஆமாம், சரி'],
  ['ur', 'نہیں، شکریہ', 'ہاں، ٹھیک ہے'],
  ['yi', 'ניין, אַ דאַנק', 'יאָ, ביטע'],
  ['xx', 'No.', 'Yes.'],
];

it.each(answers)('in %s, "%s" is a refusal and "%s" is not', (language, refusal, consent) => {
  expect([isRefusal(refusal, language), isRefusal(consent, language)]).toEqual([true, false]);
});

it.each([['Stop!'], ['Cancel.'], ['Hold on...']])('%s alone is a refusal', (text) =>
  expect([isRefusal(text, 'en'), isRefusal(`Yes, ${text}`, 'en')]).toEqual([true, false]),
);

it('a refusal is recognized whatever its Unicode form', () =>
  expect(isRefusal('Não'.normalize('NFD'), 'pt')).toBe(true));

/** Checks the languages of code samples. */
import { codeLanguages } from '../../operations/records.ts';
import { Refusal } from '../refusal.ts';

export type Language = (typeof codeLanguages)[number];

/** Returns the language. Throws Refusal if it is unknown. */
export function checkLanguage(language: string): Language {
  const known = codeLanguages.find((each) => each === language);
  if (known) return known;
  throw new Refusal(422, `language ${language} is not one of ${codeLanguages.join(', ')}`);
}

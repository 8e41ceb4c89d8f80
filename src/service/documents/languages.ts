/** Checks the languages of code samples. */
import { codeLanguages } from '../../operations/records.ts';
import { Refusal } from '../refusal.ts';

export type Language = (typeof codeLanguages)[number];

const isLanguage = (name: string): name is Language => codeLanguages.some((each) => each === name);

/** Returns the language. Throws Refusal if it is unknown. */
export function checkLanguage(language: string): Language {
  if (isLanguage(language)) return language;
  throw new Refusal(422, `language ${language} is not one of ${codeLanguages.join(', ')}`);
}

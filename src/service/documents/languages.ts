/** Defines the languages of code snippets. */
import { Refusal } from '../refusal.ts';

export const languages = ['curl', 'typescript', 'python', 'go', 'java', 'csharp', 'ruby', 'swift'] as const;

export type Language = (typeof languages)[number];

const isLanguage = (name: string): name is Language => languages.some((each) => each === name);

/** Returns the language. Throws Refusal if it is unknown. */
export function checkLanguage(language: string): Language {
  if (isLanguage(language)) return language;
  throw new Refusal(422, `language ${language} is not one of ${languages.join(', ')}`);
}

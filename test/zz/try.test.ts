import { test } from 'vitest';
import { follow, complete } from '../support/hints/run.ts';
test('x', async () => {
  for (const line of ['ws list --frob','ws lst','events list', 'doctor', 'auth status', 'config get nope'] ) {
    const o = await follow({ name: line, line, env: line==='doctor' ? {} : complete });
    console.log(line, o.ended.code, o.ended.stderr.slice(0,600), o.followed.map(f => `${f.command} => ${f.ended.code} ${f.fault ?? ''}`));
  }
});

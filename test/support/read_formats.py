# Reads YAML, CSV and TSV by the rules of `dtp help formats`, and prints what does not read back equal.
import base64, csv, io, json, re, sys, yaml

# In Python, True equals 1, so types are compared too.
def same(a, b):
    if type(a) is not type(b): return False
    if type(a) is dict: return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if type(a) is list: return len(a) == len(b) and all(map(same, a, b))
    return a == b

def read_tsv(text):
    back = {'\\\\': '\\', '\\t': '\t', '\\n': '\n', '\\r': '\r'}
    def unescape(m): return back.get(m[0]) or chr(int(m[0][2:], 16))
    return [[re.sub(r'\\([\\tnr]|u[0-9a-f]{4})', unescape, cell) for cell in line.split('\t')]
            for line in text.split('\n')[:-1]]

def rows_of(value):
    if not all(type(row) is dict for row in value): return [[row] for row in value]
    names = list(dict.fromkeys(name for row in value for name in row))
    return ([names] if value else []) + [[row.get(name) for name in names] for row in value]

def same_cell(cell, value, half):
    if value is None: return cell == ''
    if type(value) is str: return cell == re.sub('[\ud800-\udfff]', half, value)
    return same(json.loads(cell), value)

def is_back(text, value, format):
    if format == 'yaml': return same(yaml.safe_load(text), value)
    if format == 'csv': cells = list(csv.reader(io.StringIO(text, newline='')))
    else: cells = read_tsv(text)
    half = (lambda m: '\\u%04x' % ord(m[0])) if format == 'csv' else (lambda m: m[0])
    rows = rows_of(value)
    return len(cells) == len(rows) and all(
        len(line) == len(row) and all(same_cell(a, b, half) for a, b in zip(line, row))
        for line, row in zip(cells, rows))

csv.field_size_limit(sys.maxsize)
count = 0
for line in open(sys.argv[2], encoding='utf-8', newline='\n'):
    case = json.loads(line)
    count += 1
    text = base64.b64decode(case['bytes']).decode('utf-8')
    try: fault = None if is_back(text, case['value'], sys.argv[1]) else 'not equal'
    except Exception as error: fault = str(error)
    if fault: print(json.dumps([fault[:200], text[:300], case['value']])[:800])
print(count, 'read')

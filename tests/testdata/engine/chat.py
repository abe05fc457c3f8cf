"""Writes chat.json: chat templates, messages, and what Jinja2 makes of them set up as Transformers does.

    python chat.py        needs jinja2

The templates use what templates of known models use: whitespace control, loop variables, namespaces, slices,
string methods, macros, tests, `tojson`, `strftime_now`, `raise_exception`, loop controls. None looks into a
message, see src/engine/chat.rs.
"""

import datetime
import json
import pathlib

import jinja2
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

NOW = datetime.datetime(2026, 3, 5, 14, 7, 9)

TEMPLATES = {
    "chatml": "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
    "default-system": "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\nBe brief.<|im_end|>\n' }}{% endif %}"
    "{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
    "headers": """{{- bos_token }}
{%- if messages[0]['role'] == 'system' %}
    {%- set system = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system = '' %}
{%- endif %}
{{- '<|h|>system<|/h|>\\n\\nToday: ' + strftime_now('%d %b %Y') + '\\n\\n' }}
{{- system }}
{{- '<|eot|>' }}
{%- for message in messages %}
    {{- '<|h|>' + message.role + '<|/h|>\\n\\n' + message.content | trim + '<|eot|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|h|>assistant<|/h|>\\n\\n' }}
{%- endif %}
""",
    "turns": """{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- set prefix = messages[0]['content'] + '\\n\\n' -%}
    {%- set rest = messages[1:] -%}
{%- else -%}
    {%- set prefix = '' -%}
    {%- set rest = messages -%}
{%- endif -%}
{%- for message in rest -%}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}
        {{ raise_exception("Roles must take turns: user, assistant, user, …") }}
    {%- endif -%}
    {%- if message['role'] == 'assistant' -%}
        {%- set role = 'model' -%}
    {%- else -%}
        {%- set role = message['role'] -%}
    {%- endif -%}
    {{ '<turn>' + role + '\\n' + (prefix if loop.first else '') }}
    {%- if message['content'] is string -%}
        {{ message['content'] | trim }}
    {%- elif message['content'] is iterable -%}
        {{ raise_exception('parts are not supported') }}
    {%- endif -%}
    {{ '<end>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{ '<turn>model\\n' }}
{%- endif -%}
""",
    "brackets": "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}"
    "{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}"
    "{{ message['content'] + eos_token }}{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}"
    "{% endif %}{% endfor %}",
    "namespace": """{%- set ns = namespace(seen=false, last=0) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if not ns.seen and message.role == "user" %}
        {%- set ns.seen = true %}
        {%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {{- '<|' ~ message.role ~ '|>' ~ (' (last)' if loop.index0 == ns.last else '') ~ '\\n' ~ message.content ~ '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|assistant|>\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}""",
    "blocks": """
{% for message in messages %}
    {% if message.role == 'system' %}
  SYSTEM {{ message.content }}
    {% else %}
  {{ loop.index }}/{{ loop.length }} {{ message.role | upper }}: {{ message.content }}
    {% endif %}
{% endfor %}
{# a comment #}
end
""",
    "macro": """{% macro say(role, text='') -%}
<{{ role }}>{{ text }}</{{ role }}>
{%- endmacro %}
{% for m in messages %}{{ say(m.role, m.content) }}
{% endfor %}{{ say('assistant') if add_generation_prompt }}""",
    "json": """{%- for m in messages %}{{ {"role": m.role, "n": loop.index, "ok": true, "none": none, "q": "a\\"b<é>&'", "list": [1, 2.5, "x"], "empty": [], "o": {}} | tojson }}
{% endfor %}{{ {"b": [1, {"c": "ü"}], "a": {}} | tojson(indent=2) }}""",
    "python-values": "{{ true }} {{ false }} {{ none }} {{ [1, 'a', \"it's\", true, none, 1.5] }} {{ {'k': 'v', 'n': [1]} }} {{ 3 / 2 }} {{ 7 // 2 }} {{ 2 ** 3 }} {{ 1.0 }} {{ undefined_name }}",
    "methods": "{{ ' a '.strip() }}|{{ 'a,b'.split(',') | join('+') }}|{{ 'abc'.startswith('ab') }}|{{ 'Abc'.lower() }}|{{ 'a-b'.replace('-', '_') }}|"
    "{{ 'x'.upper() if 'x' in 'xyz' else '' }}|{{ 'abc'[1:] }}|{{ 'abc'[-1] }}|{{ 'a b'.title() }}|{{ 'ab'.endswith('b') }}|{{ 'xxabxx'.rstrip('x') }}|{{ 'xxab'.lstrip('x') }}|"
    "{% for k, v in {'b': 1, 'a': 2}.items() %}{{ k }}={{ v }};{% endfor %}|{{ {'a': 1}.get('b', 'none') }}",
    "filters": "{{ messages | map(attribute='role') | list | join(',') }} {{ messages | selectattr('role', 'equalto', 'user') | list | length }} "
    "{{ [3,1,2] | sort | first }} {{ '%s-%d' | format('a', 3) }} {{ 'abc' | length }} {{ none | default('d', true) }} {{ x | default('y') }} {{ 'a\nb' | indent(2) }} {{ [1,2,3] | last }} {{ ['a','b'] | reverse | list }}",
    "controls": "{% for i in range(10) %}{% if i == 2 %}{% continue %}{% endif %}{% if i > 4 %}{% break %}{% endif %}{{ i }}{% endfor %}"
    "{% for m in messages %}{% if m.role == 'system' %}{% continue %}{% endif %}[{{ m.content }}]{% endfor %}",
    "time": "{{ strftime_now('%Y-%m-%d') }} {{ strftime_now('%d %B %Y, %H:%M:%S') }} {{ strftime_now('%A') }} {{ bos_token }}{{ eos_token }}",
    "tools": "{% if tools %}tools{% else %}no tools{% endif %} {% if tools is not none %}x{% endif %}{{ documents is defined }}",
}

CONVERSATIONS = {
    "one": [("user", "Wie dick ist die Dämmung?")],
    "system": [("system", "  Antworte kurz.\n"), ("user", "Hallo <b>&amp;</b> \"du\"")],
    "long": [
        ("system", "Answer from the passages."),
        ("user", "What is U?\n\n[1] U = 0.17"),
        ("assistant", "0.17 W/(m²·K) [1]"),
        ("user", "  And for the roof? "),
    ],
    "order": [("assistant", "Hi"), ("user", "?")],
    "empty": [("user", "")],
}


class Raised(Exception):
    pass


def raise_exception(message):
    raise Raised(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = NOW.strftime

cases = []
for name, template in TEMPLATES.items():
    for conversation, pairs in CONVERSATIONS.items():
        for answer in (True, False):
            messages = [{"role": role, "content": content} for role, content in pairs]
            case = {"name": f"{name}/{conversation}", "template": template, "messages": messages, "answer": answer}
            try:
                case["text"] = environment.from_string(template).render(
                    messages=messages,
                    add_generation_prompt=answer,
                    bos_token="<s>",
                    eos_token="</s>",
                    tools=None,
                    documents=None,
                )
            except Raised as error:
                case["refused"] = str(error)
            cases.append(case)
lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
pathlib.Path(__file__).with_name("chat.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
print(len(cases), "cases,", sum("refused" in case for case in cases), "refused")

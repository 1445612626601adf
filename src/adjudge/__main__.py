"""``python -m adjudge``"""

import sys

from .cli import main

sys.exit(main())

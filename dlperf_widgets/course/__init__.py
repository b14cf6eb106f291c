"""The course: exercises that check themselves, and the table of grades that comes of them.

``course.check("intensity.relu", 0.25)`` judges an answer, ``course.grades()`` shows all of them. To add an
exercise: an entry in the file of its lesson; its answer and the mistakes it knows are computed.
"""

from ._exercise import Exercise as Exercise
from ._exercise import Lesson as Lesson
from ._exercise import Mistake as Mistake
from ._grades import Grades as Grades
from ._grades import collect as collect
from ._judge import Result as Result
from ._judge import Verdict as Verdict
from ._lessons import LESSONS as LESSONS
from ._lessons import texts as texts
from ._session import check as check
from ._session import exercise as exercise
from ._session import grades as grades
from ._session import load as load
from ._session import reset as reset
from ._session import reveal as reveal
from ._session import save as save
from .capstone import a_picture as a_picture
from .capstone import budget as budget
from .capstone import classifier as classifier
from .capstone import start as start

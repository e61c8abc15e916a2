"""Let a language model write one sentence for each definition that others can name, and keep these in the index.

`choice` lists the definitions without a sentence, and gathers what the model reads of each. `prompt` fences that, and reads the
reply. `run` asks, several requests at once, and writes each reply when it comes.
"""

from code_graph_indexer.describe.choice import Subject, undescribed_subjects
from code_graph_indexer.describe.run import Describer, DescriptionPlan, DescriptionReport

__all__ = ["Describer", "DescriptionPlan", "DescriptionReport", "Subject", "undescribed_subjects"]

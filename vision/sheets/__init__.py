"""Sheets to print in actual size: the table's corner markers, the ChArUco sheet for the lens, and teaching mats.

A layout may use the markers 0 to 39 of the dictionary 4X4_50. 40 to 43 are the corners of a teaching mat, and two of
44 to 49 identify its page.
"""

from vision.sheets.markers import charuco_sheet, marker_sheet
from vision.sheets.paper import SheetError
from vision.sheets.teaching_mats import (
    MatPiece,
    mat_layout,
    mat_page_of,
    mat_pages,
    mat_truth,
    teaching_mat,
)

__all__ = [
    "MatPiece",
    "SheetError",
    "charuco_sheet",
    "marker_sheet",
    "mat_layout",
    "mat_page_of",
    "mat_pages",
    "mat_truth",
    "teaching_mat",
]
